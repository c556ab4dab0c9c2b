/** Stands between callers and the service that they use: its answer is theirs, and Roster's is compared with it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parsedJson } from '../json.ts';
import { createForward, type Forwarded, type Passing } from './forward.ts';
import { matchOf } from './match.ts';
import type { Mirror } from './mirror.ts';
import { placesOf, type Told } from './places.ts';
import type { Tally } from './tally.ts';

/** Larger than any body that Roster takes. */
const mostBody = 8 * 1024 * 1024;

export interface ProxyOptions {
  from: string;
  mirror: Mirror;
  tally: Tally;
  ignored: ReadonlySet<string>;
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  // What is too long is read to its end, and not kept: else the caller never sees the answer.
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= mostBody) chunks.push(chunk);
    else chunks.length = 0;
  }
  return length > mostBody ? undefined : Buffer.concat(chunks);
};

const answer = (response: ServerResponse, { status, headers, body }: Forwarded): void => {
  response.writeHead(status, headers).end(body);
};

const toldBy = ({ status, body }: Forwarded): Told => ({ status, body: parsedJson(body.toString()) });

/** Starts at once, so that the order is that of arrival; its end is nobody's business but the tally's. */
const comparing = (passing: Passing, { mirror, tally, ignored }: ProxyOptions): ((theirs?: Told) => void) => {
  const match = matchOf(passing.method, passing.path.split('?')[0] ?? '');
  if (!match) return () => tally.left('Roster has no such path');
  const sent = mirror.send(match, passing);
  if (!sent) return () => tally.left('too much waits for Roster');
  sent.catch(() => undefined);
  return (theirs) => {
    if (!theirs) return tally.left('no answer of the other service');
    sent.then(
      (ours) => tally.compared(match.id, placesOf(theirs, ours, ignored)),
      () => tally.left('no answer of Roster'),
    );
  };
};

export const openProxy = (port: number, options: ProxyOptions): Promise<Server> => {
  const forward = createForward(options.from);

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (!body) {
      response.writeHead(413).end();
      return;
    }
    const passing: Passing = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers,
      body,
    };
    const compare = comparing(passing, options);
    try {
      const forwarded = await forward(passing);
      answer(response, forwarded);
      compare(toldBy(forwarded));
    } catch {
      compare();
      response.writeHead(502).end();
    }
  };

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });
};
