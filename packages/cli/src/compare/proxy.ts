/** Stands between callers and the service that they use: its answer is theirs, and Roster's is compared with it. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isWrite } from './asking.ts';
import type { Comparison } from './comparison.ts';
import { type Copy, type CopyOf, createCopies } from './copies.ts';
import { decoded } from './decoded.ts';
import { createForward, type Theirs } from './forward.ts';
import { type Mirror, type Mirroring, matchOf } from './mirror.ts';
import { placesOf, type Told } from './places.ts';
import type { Unsent } from './unsent.ts';
import { writtenJson } from './written-json.ts';

export interface ProxyOptions {
  from: string;
  mirror: Mirror;
  comparison: Comparison;
  ignored: ReadonlySet<string>;
  copyOf?: CopyOf;
  /** Counts the writes that can't be kept for later. */
  unsent?: Unsent;
}

const mostConnections = 512;
const endMs = 10_000;

const isWhole = (request: IncomingMessage): Promise<boolean> =>
  new Promise((resolve) => {
    request.once('end', () => resolve(true)).once('close', () => resolve(false));
  });

/** The caller will send it again, or was refused for a key that Roster does not know: it is no request for Roster. */
const isPassing = (status: number): boolean => [401, 403, 408, 429].includes(status) || status >= 500;

const tooLarge = 'a body is too large, or has an encoding';

/** Why Roster does not get it. */
const whyNotSent = (theirs: Theirs | undefined): string | undefined => {
  if (!theirs) return 'no answer of the other service';
  return isPassing(theirs.status) ? `the other service answered ${theirs.status}` : undefined;
};

/** Why the two answers say nothing about each other. */
const whyNotCompared = (id: string, theirs: Theirs, ours: Mirroring): string | undefined => {
  if (!theirs.body.isKept()) return tooLarge;
  if (ours.text === undefined) return 'the answer of Roster is too large';
  if (ours.isQueued) return 'Roster had not applied it yet';
  if (isWrite(id)) return undefined;
  if (!ours.isFresh) return 'Roster had not applied everything before it';
  return ours.isBehind ? 'a write before it did not reach Roster' : undefined;
};

const told = (status: number, headers: IncomingHttpHeaders, text: string): Told => ({
  status,
  headers,
  body: writtenJson(text),
});

const idIn = (headers: IncomingHttpHeaders): string | undefined => headers['x-request-id']?.toString();

interface Pair {
  id: string;
  theirs: Theirs;
  ours: Mirroring;
  time: string;
}

const comparePair = async ({ id, theirs, ours, time }: Pair, options: ProxyOptions): Promise<void> => {
  const { comparison, ignored } = options;
  const reason = whyNotCompared(id, theirs, ours);
  if (reason !== undefined) return comparison.left(reason);
  // It is told as too large.
  const text = await decoded(theirs.body.bytes(), theirs.headers['content-encoding']).catch(() => undefined);
  if (text === undefined) return comparison.left(tooLarge);
  const places = placesOf(
    told(theirs.status, theirs.headers, text),
    told(ours.status, ours.headers, ours.text ?? ''),
    { ignored, leftOut: comparison.madeAnew, isSameApp: comparison.isSameApp },
  );
  const [request_id, their_request_id] = [idIn(ours.headers), idIn(theirs.headers)];
  comparison.compared(id, places, { request_id, their_request_id, time });
};

/** Asks Roster when the other service has answered, in the order of its answers, and compares. */
const compare = async (
  request: IncomingMessage,
  sent: Copy,
  theirs: Theirs | undefined,
  options: ProxyOptions,
): Promise<void> => {
  const { mirror, comparison, unsent } = options;
  const { method = '', url = '', headers } = request;
  const [path = '', query = ''] = url.split('?');
  const time = new Date().toISOString();
  const match = matchOf(method, path);
  if (!match) return comparison.left(method === 'HEAD' ? 'it asks for no body' : 'Roster has no such path');
  const reason = whyNotSent(theirs);
  if (reason !== undefined || !theirs) return comparison.left(reason ?? '');
  if (!sent.isKept()) {
    mirror.miss(match.id);
    if (isWrite(match.id)) unsent?.lose();
    return comparison.left(tooLarge);
  }
  const asked = mirror.send({
    ...match,
    query: new URLSearchParams(query),
    idempotencyKey: headers['idempotency-key']?.toString(),
    json: () => decoded(sent.bytes(), headers['content-encoding']),
  });
  if (!asked) return comparison.left('too much waits for Roster');
  // It is counted as left out.
  const ours = await asked.catch(() => undefined);
  if (!ours) return comparison.left('no answer of Roster');
  await comparePair({ id: match.id, theirs, ours, time }, options);
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
