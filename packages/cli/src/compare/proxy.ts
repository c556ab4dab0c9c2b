/** Stands between callers and the service that they use: its answer is theirs, and Roster's is compared with it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parsedJson } from '../json.ts';
import type { Comparison } from './comparison.ts';
import { type Copy, type CopyOf, createCopies } from './copies.ts';
import { createForward, type Theirs } from './forward.ts';
import { type Mirror, matchOf } from './mirror.ts';
import { placesOf, type Told } from './places.ts';

export interface ProxyOptions {
  from: string;
  mirror: Mirror;
  comparison: Comparison;
  ignored: ReadonlySet<string>;
  copyOf?: CopyOf;
}

const mostConnections = 512;
const endMs = 10_000;

const isWhole = (request: IncomingMessage): Promise<boolean> =>
  new Promise((resolve) => {
    request.once('end', () => resolve(true)).once('close', () => resolve(false));
  });

/** The caller will send it again, or was refused for a key that Roster does not know: it is no request for Roster. */
const isPassing = (status: number): boolean => [401, 403, 408, 429].includes(status) || status >= 500;

const whyNot = ({ headers }: IncomingMessage, sent: Copy, theirs: Theirs | undefined): string | undefined => {
  if (!theirs) return 'no answer of the other service';
  if (isPassing(theirs.status)) return `the other service answered ${theirs.status}`;
  const isEncoded = theirs.isEncoded || headers['content-encoding'] !== undefined;
  return isEncoded || !sent.isKept() || !theirs.body.isKept()
    ? 'a body is too large, or has an encoding'
    : undefined;
};

const toldBy = ({ status, body }: Theirs): Told => {
  const text = body.text();
  return { status, body: text === '' ? {} : parsedJson(text) };
};

/** Asks Roster when the other service has answered, in the order of its answers, and compares. */
const compare = async (
  request: IncomingMessage,
  sent: Copy,
  theirs: Theirs | undefined,
  { mirror, comparison, ignored }: ProxyOptions,
): Promise<void> => {
  const { method = '', url = '', headers } = request;
  const [path = '', query = ''] = url.split('?');
  const match = matchOf(method, path);
  if (!match) return comparison.left('Roster has no such path');
  const reason = whyNot(request, sent, theirs);
  if (reason !== undefined || !theirs) return comparison.left(reason ?? '');
  const asked = mirror.send({
    ...match,
    query: new URLSearchParams(query),
    idempotencyKey: headers['idempotency-key']?.toString(),
    json: sent.text,
  });
  if (!asked) return comparison.left('too much waits for Roster');
  const ours = await asked.catch(() => undefined);
  if (!ours) return comparison.left('no answer of Roster');
  comparison.compared(match.id, placesOf(toldBy(theirs), ours, ignored));
};

export const openProxy = async (port: number, options: ProxyOptions) => {
  const { from, mirror, copyOf = createCopies() } = options;
  const forward = createForward(from, copyOf);
  const underWay = new Set<Promise<void>>();

  const serve = async (request: IncomingMessage, passing: Promise<Theirs | undefined>, sent: Copy) => {
    const [whole, theirs] = await Promise.all([isWhole(request), passing]);
    try {
      if (whole) await compare(request, sent, theirs, options);
    } catch {
      options.comparison.left('it could not be compared');
    } finally {
      sent.free();
      theirs?.body.free();
    }
  };
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/')) {
      response.writeHead(400).end();
      return;
    }
    const sent = copyOf(request);
    const serving = serve(request, forward.pass(request, response), sent).finally(() =>
      underWay.delete(serving),
    );
    underWay.add(serving);
  });
  server.maxConnections = mostConnections;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A connection that can't be accepted, for want of files.
  server.on('error', () => undefined);

  const settled = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return {
    port: (server.address() as AddressInfo).port,
    /** Resolves when all that came is compared. */
    settled,
    /** Callers who are being served get their answers, within some seconds. */
    async end(): Promise<void> {
      const late = setTimeout(() => server.closeAllConnections(), endMs);
      const closed = once(server, 'close');
      server.close();
      mirror.end();
      await settled();
      // All were served: what is open is kept for a next request.
      server.closeAllConnections();
      await closed;
      clearTimeout(late);
      forward.end();
    },
  };
};
