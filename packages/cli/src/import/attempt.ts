/** One request: the answer, or why there is none. The client repeats it for as long as it is told to. */
import { about, type CallOptions, ConnectionError, Roster, RosterError } from '@roster/client';
import { operations } from '@roster/contract';
import { type Answer, answerOf } from './answer.ts';
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
  /** None when there was no answer. */
  answer?: Answer;
  requestId?: string | undefined;
  /** Of a read: whether every request accepted before it is in it. */
  isFresh?: boolean;
}

/** When a request is sent again. Unless said: never. */
type Retries = Pick<CallOptions, 'retryFor' | 'pauseSignal' | 'onPause'>;

export interface Door {
  post(sending: Sending, retries?: Retries): Promise<Attempt>;
  /** What became of a request. */
  outcome(id: string): Promise<Attempt>;
}

const ids = new Map(operations.filter(({ method }) => method === 'POST').map(({ path, id }) => [path, id]));

const idOf = (path: string): string => ids.get(path) ?? path;

const attemptSeconds = 60;
const waitSeconds = 30;
const never: Retries = { retryFor: 0 };

const isFailure = (value: unknown): value is { message: string; code?: unknown } =>
  typeof value === 'object' && value !== null && 'message' in value;

/** `fetch failed` hides its reason in its cause, `ECONNREFUSED` for example. */
const causeOf = ({ message, cause }: Error): string => {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return isFailure(inner) ? String(inner.code ?? inner.message) : message;
};

/** Why an attempt failed, in a few words. */
export const reasonOf = (error: RosterError): string =>
  error instanceof ConnectionError
    ? causeOf(error)
    : `${error.status} ${answerOf(error.status, error.body).message}`;

const refused = (error: RosterError): Attempt =>
  error instanceof ConnectionError
    ? {}
    : { answer: answerOf(error.status, error.body), requestId: error.requestId };

const answered = (body: object): Attempt => {
  const { status = 200, requestId, isFresh = false } = about(body) ?? {};
  return { answer: answerOf(status, body), requestId, isFresh };
};

const attempt = async (call: Promise<object>): Promise<Attempt> => {
  try {
    return answered(await call);
  } catch (error) {
    if (error instanceof RosterError) return refused(error);
    throw error;
  }
};

export const createDoor = ({ url, key }: Target): Door => {
  const roster = new Roster({ url, key, timeout: attemptSeconds });
  return {
    outcome: (id) => attempt(roster.call('requests.read', { params: [id] }, never)),
    post({ path, json, idempotencyKey, until }, retries = never) {
      const options = {
        ...retries,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(until === 'applied' && { wait: waitSeconds }),
      };
      return attempt(roster.call(idOf(path), { json }, options));
    },
  };
};
