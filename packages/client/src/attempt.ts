/** One attempt: sent, and its answer read, within its time. */
import { refuseHeaders } from './checked.ts';
import { TimeoutError } from './errors.ts';
import { type Attempt, type Middleware, through } from './middleware.ts';
import { noAnswer } from './no-answer.ts';
import { mostMs } from './pause.ts';
import { redirectOf, textWithin, tooLarge } from './received.ts';

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

/** What all attempts of a client have in common. */
export interface Wire {
  fetch: Fetch;
  use: readonly Middleware[];
  /** Bytes of an answer. */
  maxAnswerBytes: number;
}

/** Errors of the platform as errors of this client. Those of a middleware stay what they are, and are not tried again. */
const orNoAnswer = <Value>(answer: Promise<Value>, operation: string): Promise<Value> =>
  answer.catch((cause: unknown) => {
    throw noAnswer(cause, operation);
  });

const read = async (
  { attempt, body }: Sending,
  controller: AbortController,
  { fetch, use, maxAnswerBytes }: Wire,
): Promise<Received> => {
  const { operation, method, url, headers } = attempt;
  const { signal } = controller;
  const send = () => {
    refuseHeaders(headers);
    // A redirect makes a write a read, or sends people's data to another place.
    const init: RequestInit = { method, headers, signal, redirect: 'manual' };
    return orNoAnswer(fetch(url, { ...init, ...(body !== undefined && { body }) }), operation);
  };
  const response = await (use.length === 0 ? send() : through(use, attempt, send));
  const redirect = redirectOf(response, operation);
  const text = redirect ? undefined : await orNoAnswer(textWithin(response, maxAnswerBytes), operation);
  if (text !== undefined) return { status: response.status, headers: response.headers, text };
  // Nothing reads the rest of it.
  controller.abort();
  throw redirect ?? tooLarge(maxAnswerBytes, response.status, operation);
};

export const createAttempt =
  (wire: Wire) =>
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
      return await read(sending, controller, wire);
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (isLate) throw new TimeoutError(`no answer in ${timeoutMs / 1000} s`, { operation, cause });
      throw cause;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  };
