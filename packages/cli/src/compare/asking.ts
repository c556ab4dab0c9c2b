/** One request to Roster at a time, until it has an answer; a read again, until it includes everything accepted before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pause, Roster, RosterError, UnavailableError } from '@roster/client';
import { operations } from '@roster/contract';
import type { Target } from '../import/target.ts';
import { type Answer, tellingFetch } from './telling-fetch.ts';
import type { UnsentRequest } from './unsent.ts';

const byId = new Map(operations.map((operation) => [operation.id as string, operation]));

export const isWrite = (id: string): boolean => byId.get(id)?.kind === 'write';

const saysWhetherFresh = (id: string): boolean => byId.get(id)?.fresh === true;

export type Asked = Answer & {
  /** A read includes everything accepted before it; of other requests `true`. */
  isFresh: boolean;
  /** The answer is a receipt, as the result took too long. */
  isQueued: boolean;
};

const freshAttemptsMax = 5;

/** Of Roster, not of a proxy before it. 429 and 503 are about the moment; a 500 is a bug, which a comparison has to show. */
const isAnswer = (error: unknown): boolean =>
  error instanceof RosterError &&
  error.code !== undefined &&
  error.status !== 429 &&
  !(error instanceof UnavailableError);

const isFresh = (id: string, { status, headers }: Answer): boolean => {
  const said = headers['x-roster-fresh'];
  return said === undefined ? status >= 300 || !saysWhetherFresh(id) : said === 'true';
};

const isQueued = (id: string, { status }: Answer): boolean => status === 202 && byId.get(id)?.success !== 202;

export const createAsking = (
  { url, key }: Target,
  { mostAnswer, staleMs, retryFor }: { mostAnswer: number; staleMs: number; retryFor: number | undefined },
) => {
  const telling = tellingFetch(mostAnswer);
  const roster = new Roster({ url, key, fetch: telling.fetch, ...(retryFor !== undefined && { retryFor }) });
  const [pauses, calls] = [new AbortController(), new AbortController()];
  const wait = (ms: number) => sleep(ms, undefined, { signal: pauses.signal });

  const call = async (request: UnsentRequest): Promise<Answer> => {
    const { operation, params, query, idempotency_key, json } = request;
    const options = {
      signal: calls.signal,
      pause: ({ ms }: Pause) => wait(ms),
      idempotencyKey: idempotency_key,
    };
    try {
      await roster.call(operation, { params, query, ...(json !== '' && { json }) }, options);
    } catch (error) {
      if (!isAnswer(error)) throw error;
    }
    return telling.last();
  };

  return {
    /** Rejected when Roster gives no answer. */
    async ask(request: UnsentRequest): Promise<Asked> {
      calls.signal.throwIfAborted();
      let answer = await call(request);
      for (let attempt = 1; attempt < freshAttemptsMax && !isFresh(request.operation, answer); attempt++) {
        await wait(staleMs);
        answer = await call(request);
      }
      const { operation } = request;
      return { ...answer, isFresh: isFresh(operation, answer), isQueued: isQueued(operation, answer) };
    },
    endPauses: (): void => pauses.abort(),
    end: (): void => calls.abort(),
  };
};
