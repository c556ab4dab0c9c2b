// Sends prepared requests, several at once, and reads whatever is answered. Never throws.
import { Agent, type ClientRequest } from 'node:http';
import { type Answer, exchange } from '../harness/http.ts';
import { sleep } from '../harness/wait.ts';
import type { Genome, Wire } from './genome.ts';

export type Reply = Pick<Answer, 'status' | 'headers' | 'body'>;

/** Where to send to, and how each kind of caller shows who it is. */
export interface Target {
  baseUrl: string;
  /** Of the pages, where nobody shows who they are. */
  pagesUrl: string;
  headers: Record<Exclude<Wire['auth'], 'nobody'>, Record<string, string>>;
}

const holdBackMs = 3_000;
/** Longer than the pages wait for a form, and for themselves. */
const forGoodMs = 12_000;
const heldBytes = 10;
const patienceMs = 40_000;

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

export const createSender = (target: Target) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const once = (wire: Wire, heldBack: Genome['heldBack']) => {
    const { method, path, auth, body } = wire;
    const url = new URL(path, auth === 'nobody' ? target.pagesUrl : target.baseUrl);
    return exchange(url, { method, agent, headers: headersOf(wire, target) }, patienceMs, (sending) =>
      heldBack && body && body.length > heldBytes
        ? writeSlowly(sending, body, heldBack === 'for good')
        : sending.end(body),
    );
  };
  const send = async (wire: Wire, heldBack: Genome['heldBack'] = false): Promise<Reply> => {
    const reply = await once(wire, heldBack);
    return reply.isStale ? once(wire, heldBack) : reply;
  };
  return { send, close: () => agent.destroy() };
};

export type Sender = ReturnType<typeof createSender>;
