/** Two services over real sockets, and a caller of one of them. */
import type { RequestListener } from 'node:http';
import { openServer, textOf } from '@roster/testkit';
import { createComparison } from './comparison.ts';
import type { CopyOf } from './copies.ts';
import { createMirror, type MirrorOptions } from './mirror.ts';
import { openProxy } from './proxy.ts';

const ends: (() => Promise<unknown>)[] = [];

export const serve = async (listener: RequestListener): Promise<string> => {
  const { url, close } = await openServer(listener);
  ends.push(close);
  return url;
};

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A read of Roster that includes everything; the other service says nothing about that. */
export const freshJson = {
  'content-type': 'application/json',
  'x-roster-fresh': 'true',
  'x-request-id': 'r1',
};

export const answering =
  (status: number, body: object, seen: string[] = []): RequestListener =>
  async (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${await textOf(request)}`);
    const told = {
      'x-roster-retry': String(status === 503),
      ...(status >= 400 && { 'x-roster-error': 'A_CODE' }),
    };
    response.writeHead(status, { ...freshJson, ...told }).end(JSON.stringify(body));
  };

export const silent: RequestListener = (request) => void request.resume();
export const success = answering(201, { message: 'success' });
export const away = answering(503, { message: 'away' });
export const hangingUp: RequestListener = (request) => void request.socket.destroy();
export const nonsense: RequestListener = (request) => void request.socket.end('nonsense\r\n\r\n');

/** Before the other service, which answers as `theirs` or is at that address, and Roster. */
export const proxyOf = async (
  theirs: RequestListener | string,
  ours: RequestListener,
  endMs = 60_000,
  { copyOf, ...more }: MirrorOptions & { copyOf?: CopyOf } = {},
) => {
  const from = typeof theirs === 'string' ? theirs : await serve(theirs);
  const comparison = createComparison();
  const mirror = createMirror({ url: await serve(ours), key: 'ours' }, { endMs, staleMs: 0, ...more });
  const ignored = new Set(['created_at']);
  const proxy = await openProxy(0, { from, mirror, comparison, ignored, ...(copyOf && { copyOf }) });
  ends.push(() => proxy.end());
  return { url: `http://127.0.0.1:${proxy.port}`, comparison, proxy };
};

export const headers = { authorization: 'Bearer theirs', 'content-type': 'application/json' };
export const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
