/** One attempt: sent, and its answer read, within its time. */
import { ConnectionError, RosterError, TimeoutError } from './errors.ts';
import { type Attempt, type Middleware, through } from './middleware.ts';

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
  const { cause, message } = error as Error & { cause?: { message?: string } };
  return cause?.message || message || 'no connection';
};

const read = async (
  { attempt, body }: Sending,
  signal: AbortSignal,
  fetch: Fetch,
  use: readonly Middleware[],
): Promise<Received> => {
  const { method, url, headers } = attempt;
  const send = () => fetch(url, { method, headers, signal, ...(body !== undefined && { body }) });
  const response = await (use.length === 0 ? send() : through(use, attempt, send));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

export const createAttempt =
  (fetch: Fetch, use: readonly Middleware[]) =>
  async (sending: Sending): Promise<Received> => {
    const { attempt, timeoutMs, signal } = sending;
    const controller = new AbortController();
    const { operation } = attempt;
    let isLate = false;
    const stop = (): void => controller.abort(signal?.reason);
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      signal?.throwIfAborted();
      return await read(sending, controller.signal, fetch, use);
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof RosterError) throw cause;
      if (isLate) throw new TimeoutError(`no answer in ${timeoutMs / 1000} s`, { operation, cause });
      throw new ConnectionError(`no answer: ${wordsOf(cause)}`, { operation, cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  };
