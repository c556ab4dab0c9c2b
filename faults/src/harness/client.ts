// The caller's side of the interface. `call` sends one attempt, of any bytes, and never throws: "no answer" is an answer that the tests must deal with. `roster` goes on until there is one.
import { Agent, request } from 'node:http';
import { Roster, type RosterOptions } from '@roster/client';

export interface Answer {
  /** 0: none, the caller can't know whether the request was accepted. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  ms: number;
}

export interface Call {
  path?: string;
  method?: 'GET' | 'PATCH' | 'POST';
  body?: unknown;
  /** The bytes of a body, instead of one that is written as JSON. */
  raw?: Buffer;
  /** So many bytes are announced beyond those that are sent: the body never ends. */
  heldBack?: number;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

export interface Client {
  call(call: Call): Promise<Answer>;
  roster: Roster;
  apiKey: string;
  close(): void;
}

export interface ClientOptions {
  baseUrl: string;
  apiKey: string;
  /** No call gives up before. */
  leastPatienceMs?: number;
}

/** Seconds. */
const patience = { timeout: 40, retryFor: 300 };

export const patientRoster = (options: RosterOptions, leastPatienceMs = 0): Roster =>
  new Roster({ ...options, ...patience, timeout: Math.max(patience.timeout, leastPatienceMs / 1000) });

export const createClient = ({ baseUrl, apiKey, leastPatienceMs = 0 }: ClientOptions): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const headersOf = (call: Call): Record<string, string> => ({
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    ...(call.idempotencyKey ? { 'idempotency-key': call.idempotencyKey } : {}),
    ...(call.raw && { 'content-length': String(call.raw.length + (call.heldBack ?? 0)) }),
    ...call.headers,
  });

  const call = (call: Call): Promise<Answer> =>
    new Promise((done) => {
      const began = performance.now();
      const end = (answer: Omit<Answer, 'ms'>) => done({ ...answer, ms: performance.now() - began });
      const nothing = () => end({ status: 0, headers: {}, body: '' });
      const url = new URL(call.path ?? '/users/track', baseUrl);
      const sending = request(
        url,
        { method: call.method ?? 'POST', agent, headers: headersOf(call) },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', nothing);
          response.on('end', () =>
            end({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      const patienceMs = Math.max(call.timeoutMs ?? 5_000, leastPatienceMs);
      sending.setTimeout(patienceMs, () => sending.destroy(new Error('no answer in time')));
      sending.on('error', nothing);
      if (call.raw && call.heldBack) sending.write(call.raw);
      else sending.end(call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body)));
    });

  const roster = patientRoster({ url: baseUrl, key: apiKey }, leastPatienceMs);
  return { call, roster, apiKey, close: () => agent.destroy() };
};

/** The caller may ask again. */
export const isPassing = ({ status }: Answer): boolean => status === 0 || status === 503 || status === 429;

export const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** The id under which the system remembers an accepted request. */
export const requestIdOf = ({ headers }: Answer): string => String(headers['x-request-id'] ?? '');

/** Microseconds of the clock by which it was accepted, as its id says. */
export const stampOf = (request: string): number =>
  Number.parseInt(request.slice(1, request.indexOf('-')), 36);
