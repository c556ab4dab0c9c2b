/** One try of a request: the answer, or why there is none. */
import { type Answer, answerOf } from './answer.ts';
import type { Signs } from './retry.ts';
import type { Target } from './target.ts';

export interface Sending {
  path: string;
  json: string;
  /** Without a key the request must change nothing. */
  idempotencyKey?: string;
  /** When to answer: kept, applied, or when the result of each entry is known (for operations that answer with it). */
  until?: 'kept' | 'applied' | 'result';
}

export interface Attempt {
  signs?: Signs;
  answer?: Answer;
  requestId?: string | undefined;
  /** Of a read: whether every request accepted before it is in it. */
  isFresh?: boolean;
  why: string;
}

export interface Door {
  post(sending: Sending): Promise<Attempt>;
  get(path: string): Promise<Attempt>;
}

const requestMs = 60_000;

interface Failure {
  message: string;
  code?: unknown;
  cause?: unknown;
}

const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'message' in value;

/** `fetch failed` hides its reason in its cause. */
const causeOf = (error: unknown): string => {
  const { cause, message } = isFailure(error) ? error : { cause: undefined, message: String(error) };
  return isFailure(cause) ? String(cause.code ?? cause.message) : message;
};

const attemptOf = async (response: Response): Promise<Attempt> => {
  const { status, headers } = response;
  const answer = answerOf(status, await response.text());
  return {
    signs: {
      status,
      retryAfter: headers.get('retry-after'),
      rateLimitReset: headers.get('x-ratelimit-reset'),
    },
    answer,
    requestId: headers.get('x-request-id') ?? undefined,
    isFresh: headers.get('x-roster-fresh') === 'true',
    why: `${status} ${answer.message}`,
  };
};

export const createDoor = ({ url, key }: Target): Door => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

  const attempt = async (path: string, more: RequestInit): Promise<Attempt> => {
    try {
      return await attemptOf(await fetch(url + path, { ...more, signal: AbortSignal.timeout(requestMs) }));
    } catch (error) {
      return { why: causeOf(error) };
    }
  };

  return {
    get: (path) => attempt(path, { headers }),
    post: ({ path, json, idempotencyKey, until }) =>
      attempt(path, {
        method: 'POST',
        headers: {
          ...headers,
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
          ...(until === 'applied' && { Prefer: 'wait=30' }),
        },
        body: json,
      }),
  };
};
