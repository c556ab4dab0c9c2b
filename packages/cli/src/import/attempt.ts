/** One request by the client of this repository: the answer that it ends with. */
import { about, type CallOptions, Roster, RosterError } from '@roster/client';
import { operations } from '@roster/contract';
import { type Answer, answerOf } from './answer.ts';
import type { Target } from './target.ts';

export interface Sending {
  path: string;
  json: string;
  /** Without a key the request must change nothing. */
  idempotencyKey?: string;
  /** When to answer: kept, applied (with its outcome), or when the result of each entry is known (for operations that answer with it). */
  until?: 'kept' | 'applied' | 'result';
}

/** When a request is sent again. */
export type Retries = Pick<CallOptions, 'retryFor' | 'retryIf' | 'pause'>;

const attemptSeconds = 60;
const waitSeconds = 30;
const once: Retries = { retryFor: 0 };

const idOf = (path: string): string =>
  operations.find((one) => one.path === path && one.method === 'POST')?.id ?? path;

/** Its status is 0 when there was none. */
const answerTo = async (call: Promise<object>): Promise<Answer> => {
  try {
    const body = await call;
    const { status = 0, isFresh } = about(body) ?? {};
    return { ...answerOf(status, body), ...(isFresh && { isFresh }) };
  } catch (error) {
    if (!(error instanceof RosterError)) throw error;
    return answerOf(error.status, error.body);
  }
};

/** Without retries unless told. */
export const createPost = ({ url, key }: Target) => {
  const roster = new Roster({ url, key, timeout: attemptSeconds });
  return ({ path, json, idempotencyKey, until }: Sending, retries = once): Promise<Answer> =>
    answerTo(
      roster.call(
        idOf(path),
        { json },
        {
          ...retries,
          ...(idempotencyKey !== undefined && { idempotencyKey }),
          ...(until === 'applied' && { wait: waitSeconds }),
        },
      ),
    );
};

export type Post = ReturnType<typeof createPost>;
