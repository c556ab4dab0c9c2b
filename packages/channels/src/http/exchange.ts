/** Sends one request over a connection of an agent, and reads its answer within bounds of time and bytes. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import type { Answer } from '../outgoing.ts';
import { Late, whyOf } from './failures.ts';

/** So much of an answer is read; the rest is not waited for. */
const mostBytes = 16 * 1024;

/** The text of an answer, up to the bound. */
export const createAnswerText = (most = mostBytes) => {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    /** Whether more is wanted. */
    add(chunk: Buffer): boolean {
      if (bytes < most) parts.push(chunk);
      bytes += chunk.length;
      return bytes <= most;
    },
    text: (): string => Buffer.concat(parts).subarray(0, most).toString(),
  };
};

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** As far as it was read. */
  text: string;
}

export interface ExchangeOptions {
  timeoutMs: number;
  /** Whether the text of the answer is waited for. */
  readsText: boolean;
}

const failureOf = (error: Error, wasWritten: boolean): Answer => {
  if (error instanceof errors.InvalidArgumentError)
    return { state: 'refused', reason: 'request_invalid', words: error.message };
  return { state: wasWritten ? 'unknown' : 'later', ...whyOf(error, wasWritten) };
};

/** When the connection of an answer that has come is free for the next request: undici waits a cycle of the event loop before it uses it again. */
const onceFree = (work: () => void): void => {
  setImmediate(() => setImmediate(work));
};

export const exchange = (
  agent: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, readsText }: ExchangeOptions,
): Promise<HttpResponse | Answer> =>
  new Promise((resolve) => {
    /** There as soon as it is being written. */
    let writing: Dispatcher.DispatchController | undefined;
    let head: Pick<HttpResponse, 'status' | 'headers'> | undefined;
    const body = createAnswerText();

    const end = (error: Error | undefined): void => {
      clearTimeout(timer);
      const known = head;
      if (known) onceFree(() => resolve({ ...known, text: body.text() }));
      else resolve(failureOf(error ?? new Error('the connection ended'), writing !== undefined));
    };
    let late: Error | undefined;
    const timer = setTimeout(() => {
      late = new Late(timeoutMs);
      if (writing) writing.abort(late);
      else end(late);
    }, timeoutMs);

    agent.dispatch(request, {
      onRequestStart(controller) {
        if (late) return controller.abort(late);
        writing = controller;
      },
      onResponseStart(_, status, headers) {
        if (status < 200) return;
        const known = { status, headers };
        head = known;
        // Reading the rest has a time of its own.
        timer.refresh().unref();
        if (!readsText) onceFree(() => resolve({ ...known, text: '' }));
      },
      onResponseData(controller, chunk) {
        if (!body.add(chunk)) controller.abort(new Error('the answer is too long'));
      },
      onResponseEnd: () => end(undefined),
      onResponseError: (_, error) => end(error),
    });
  });
