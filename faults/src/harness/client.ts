// The caller's side of the interface. `call` sends one attempt and never throws; `roster` goes on until there is an answer.
import { Agent } from 'node:http';
import { Roster } from '@roster/client';
import { type Answer, exchange } from './http.ts';

export type { Answer };

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

export const createClient = ({ baseUrl, apiKey, leastPatienceMs = 0 }: ClientOptions): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const headersOf = (call: Call): Record<string, string> => ({
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    ...(call.idempotencyKey ? { 'idempotency-key': call.idempotencyKey } : {}),
    ...(call.raw && { 'content-length': String(call.raw.length + (call.heldBack ?? 0)) }),
    ...call.headers,
  });

  const call = (call: Call): Promise<Answer> => {
    const { path = '/users/track', method = 'POST', raw, heldBack, body, timeoutMs = 5_000 } = call;
    const options = { method, agent, headers: headersOf(call) };
    const patienceMs = Math.max(timeoutMs, leastPatienceMs);
    return exchange(new URL(path, baseUrl), options, patienceMs, (sending) => {
      if (raw && heldBack) sending.write(raw);
      else sending.end(raw ?? (body === undefined ? undefined : JSON.stringify(body)));
    });
  };

  const timeout = Math.max(patience.timeout, leastPatienceMs / 1000);
  const roster = new Roster({ url: baseUrl, key: apiKey, ...patience, timeout });
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
