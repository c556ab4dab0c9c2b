/** A request until it is answered: sent again after what passes, with its one idempotency key, and never after a refusal. */
import { remember } from './about.ts';
import { createAttempt, type Fetch, type Received } from './attempt.ts';
import type { CallOptions } from './call-options.ts';
import { delayMs, pause } from './delays.ts';
import { errorOf } from './error-of.ts';
import { ConnectionError, RosterError } from './errors.ts';
import type { Middleware } from './middleware.ts';
import type { Known } from './table.ts';

/** A request, ready to be sent as often as it takes. */
interface Ready {
  row: Known;
  url: string;
  body: string | undefined;
  options: CallOptions;
}

export interface Settings {
  fetch: Fetch;
  headersFor(row: Known): Record<string, string>;
  use: readonly Middleware[];
  /** Seconds. */
  timeout: number;
  retryFor: number;
}

export type Send = (ready: Ready) => Promise<object>;

/** A 408 is about the speed of the connection, and not about the request. */
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

const isPassing = (error: unknown): error is RosterError =>
  error instanceof ConnectionError || (error instanceof RosterError && passing.has(error.status));

const headersOf = ({ row, body, options }: Ready, { headersFor }: Settings): Record<string, string> => ({
  ...headersFor(row),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(row.writes && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
  ...(options.wait && { prefer: `wait=${options.wait}` }),
  ...options.headers,
});

/** The body of a success, which `about` knows the headers of. */
const answerOf = ({ status, headers, text }: Received, attempts: number, { row }: Ready): object => {
  let answer: unknown = {};
  try {
    if (text !== '') answer = JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('the answer is no JSON', { operation: row.id, status, cause });
  }
  const body = typeof answer === 'object' && answer !== null ? answer : {};
  remember(body, { status, headers, attempts });
  return body;
};

const isSuccess = (status: number): boolean => (status >= 200 && status < 300) || status === 304;

/** Resolved when it is time for the next attempt; rejected when there is none. */
const untilNext = async (
  error: unknown,
  number: number,
  lastMs: number,
  { signal, pauseSignal, onPause }: CallOptions,
): Promise<void> => {
  if (!(error instanceof RosterError)) throw error;
  error.attempts = number;
  const ms = delayMs(number, error.retryAfter, Math.random());
  if (!isPassing(error) || Date.now() + ms > lastMs) throw error;
  onPause?.({ error, ms });
  await pause(ms, [signal, pauseSignal]);
};

export const createSend = (settings: Settings): Send => {
  const attempt = createAttempt(settings.fetch, settings.use);

  const once = async (ready: Ready, headers: Record<string, string>, number: number): Promise<object> => {
    const { row, url, body, options } = ready;
    const received = await attempt({
      attempt: { operation: row.id, number, method: row.method, url, headers: { ...headers } },
      body,
      timeoutMs: ((options.timeout ?? settings.timeout) + (options.wait ?? 0)) * 1000,
      signal: options.signal,
    });
    if (isSuccess(received.status)) return answerOf(received, number, ready);
    throw errorOf(row.id, received, received.text);
  };

  return async (ready) => {
    const headers = headersOf(ready, settings);
    const { retryFor = settings.retryFor } = ready.options;
    const lastMs = Date.now() + retryFor * 1000;
    for (let number = 1; ; number++) {
      try {
        return await once(ready, headers, number);
      } catch (error) {
        await untilNext(error, number, lastMs, ready.options);
      }
    }
  };
};
