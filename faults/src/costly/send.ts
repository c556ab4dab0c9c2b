// Sends prepared requests, several at once, and reads whatever is answered. Never throws.
import { Agent, type ClientRequest, request } from 'node:http';
import { sleep } from '../harness/wait.ts';
import type { Genome, Wire } from './genome.ts';

export interface Reply {
  /** 0: there was no answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Where to send to, and how each kind of caller shows who it is. */
export interface Target {
  baseUrl: string;
  /** Of the pages, where nobody shows who they are. */
  pagesUrl: string;
  headers: Record<Exclude<Wire['auth'], 'nobody'>, Record<string, string>>;
}

export interface Sender {
  send(wire: Wire, heldBack?: Genome['heldBack']): Promise<Reply>;
  close(): void;
}

const holdBackMs = 3_000;
/** Longer than the pages wait for a form, and for themselves. */
const forGoodMs = 12_000;
const heldBytes = 10;
const patienceMs = 40_000;

const nothing: Reply = { status: 0, headers: {}, body: '' };

/** All but the last bytes, and these when it is time. */
const writeSlowly = async (sending: ClientRequest, body: Buffer, isForGood: boolean): Promise<void> => {
  sending.write(body.subarray(0, -heldBytes));
  await sleep(isForGood ? forGoodMs : holdBackMs);
  if (isForGood) sending.destroy();
  else if (!sending.destroyed) sending.end(body.subarray(-heldBytes));
};

const headersOf = ({ headers, body, auth }: Wire, target: Target): Record<string, string> => ({
  ...(auth !== 'nobody' && target.headers[auth]),
  ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
  ...headers,
});

export const createSender = (target: Target): Sender => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const exchange = (wire: Wire, heldBack: Genome['heldBack']): Promise<Reply & { isStale: boolean }> =>
    new Promise((done) => {
      const options = { method: wire.method, agent, headers: headersOf(wire, target) };
      const sending = request(
        new URL(wire.path, wire.auth === 'nobody' ? target.pagesUrl : target.baseUrl),
        options,
        (response) => {
          const chunks: Buffer[] = [];
          const end = () =>
            done({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
              isStale: false,
            });
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', end);
          response.on('error', end);
        },
      );
      sending.setTimeout(patienceMs, () => sending.destroy());
      const unanswered = () => done({ ...nothing, isStale: sending.reusedSocket });
      sending.on('error', unanswered);
      sending.on('close', unanswered);
      if (heldBack && wire.body && wire.body.length > heldBytes)
        void writeSlowly(sending, wire.body, heldBack === 'for good');
      else sending.end(wire.body);
    });
  const send: Sender['send'] = async (wire, heldBack = false) => {
    const reply = await exchange(wire, heldBack);
    // The server had closed the connection that was kept: it did not see the request.
    return reply.isStale ? exchange(wire, heldBack) : reply;
  };
  return { send, close: () => agent.destroy() };
};
