/** One attempt: sent, and its answer read, within its time. */
import { ConnectionError, TimeoutError } from './errors.ts';
import { type Attempt, type Middleware, through } from './middleware.ts';
import { mostMs } from './pause.ts';

export interface Received {
  status: number;
  headers: Headers;
  text: string;
}

export interface Sending {
  attempt: Attempt;
  body: string | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const wordsOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || 'no connection';
};

/** Errors of the platform as errors of this client. Those of a middleware stay what they are, and are not tried again. */
const orNoAnswer = <Value>(answer: Promise<Value>, operation: string): Promise<Value> =>
  answer.catch((cause: unknown) => {
    throw new ConnectionError(`no answer: ${wordsOf(cause)}`, { operation, cause });
  });

const read = async (
  { attempt, body }: Sending,
  signal: AbortSignal,
  fetch: Fetch,
  use: readonly Middleware[],
): Promise<Received> => {
  const { operation, method, url, headers } = attempt;
  const send = () =>
    orNoAnswer(fetch(url, { method, headers, signal, ...(body !== undefined && { body }) }), operation);
  const response = await (use.length === 0 ? send() : through(use, attempt, send));
  const text = await orNoAnswer(response.text(), operation);
  return { status: response.status, headers: response.headers, text };
};

export const createAttempt =
  (fetch: Fetch, use: readonly Middleware[]) =>
  async (sending: Sending): Promise<Received> => {
    const { attempt, timeoutMs, signal } = sending;
    const controller = new AbortController();
    const { operation } = attempt;
    let isLate = false;
    const stop = (): void => controller.abort(signal?.reason);
    const timer = setTimeout(
      () => {
        isLate = true;
        controller.abort();
      },
      Math.min(timeoutMs, mostMs),
    );
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      return await read(sending, controller.signal, fetch, use);
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (isLate) throw new TimeoutError(`no answer in ${timeoutMs / 1000} s`, { operation, cause });
      throw cause;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  };
