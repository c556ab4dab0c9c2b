/** A request until it is answered: sent again after what passes, with its one idempotency key, and never after a refusal. */
import { remember } from './about.ts';
import { createAttempt, type Fetch, type Received } from './attempt.ts';
import type { CallOptions } from './call-options.ts';
import { errorOf } from './error-of.ts';
import { ConnectionError, RosterError } from './errors.ts';
import type { Middleware } from './middleware.ts';
import { pause } from './pause.ts';
import { pauseAfter } from './retry.ts';
import type { Known } from './table.ts';

/** A request, ready to be sent as often as it takes. */
interface Ready {
  row: Known;
  url: string;
  body: string | undefined;
  options: CallOptions;
  /** The time that a rate limit asks for does not count as time of retries. */
  isPatient?: boolean;
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
    throw new ConnectionError('the answer is not JSON', { operation: row.id, status, cause });
  }
  const body = typeof answer === 'object' && answer !== null ? answer : {};
  remember(body, { status, headers, attempts });
  return body;
};

const isSuccess = (status: number): boolean => (status >= 200 && status < 300) || status === 304;

/** The last attempt is told with its error: how often it was tried. */
const counted = (error: unknown, attempts: number): unknown =>
  error instanceof RosterError ? Object.assign(error, { attempts }) : error;

export const createSend = (settings: Settings): Send => {
  const attempt = createAttempt(settings.fetch, settings.use);

  const once = async (ready: Ready, headers: Record<string, string>, number: number): Promise<object> => {
    const { row, url, body, options } = ready;
    const retry = number > 1 ? { 'x-roster-retry': String(number - 1) } : {};
    const received = await attempt({
      attempt: { operation: row.id, number, method: row.method, url, headers: { ...headers, ...retry } },
      body,
      timeoutMs: ((options.timeout ?? settings.timeout) + (options.wait ?? 0)) * 1000,
      signal: options.signal,
    });
    if (isSuccess(received.status)) return answerOf(received, number, ready);
    throw errorOf(row.id, received, received.text);
  };

  return async (ready) => {
    const { options, isPatient = false } = ready;
    const { retryIf } = options;
    const headers = headersOf(ready, settings);
    let lastMs = Date.now() + (options.retryFor ?? settings.retryFor) * 1000;
    for (let number = 1; ; number++) {
      try {
        return await once(ready, headers, number);
      } catch (error) {
        const leftMs = lastMs - Date.now();
        const next = pauseAfter({ error, attempt: number, leftMs, isPatient, retryIf });
        if (!next) throw counted(error, number);
        if (isPatient && next.error.status === 429) lastMs += next.ms;
        await (options.pause?.(next) ?? pause(next.ms, options.signal));
      }
    }
  };
};
