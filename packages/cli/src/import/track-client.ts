/** Sends one body to the public interface until it is answered: through rate limits, overload and broken connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryError } from '@roster/contract';
import { failed } from '../result.ts';
import { isPassing, pauseMs, type Signs } from './retry.ts';
import { isRecord } from './row.ts';
import type { Target } from './target.ts';

export interface Answer {
  status: number;
  message: string;
  errors: EntryError[];
}

export interface ClientOptions extends Target {
  /** How long a request is tried that nobody answers. Time for which the server asked to wait does not count. */
  giveUpAfterMs: number;
  /** Ends the waiting: what is on the wire is still answered. */
  signal: AbortSignal;
  /** Hears why it takes longer. */
  onPause?: (ms: number, why: string) => void;
}

export interface TrackClient {
  /** With `isWaiting` it comes back when the request is applied, not only kept. */
  track(json: string, idempotencyKey: string, isWaiting?: boolean): Promise<Answer>;
  /** Whether everything that was accepted before has been applied; `undefined` when the key may not ask. */
  isAllApplied(): Promise<boolean | undefined>;
}

/** The person said stop. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

const requestMs = 60_000;
const mostAttempts = 10_000;
const askEveryMs = 250;

const isEntryError = (value: unknown): value is EntryError =>
  isRecord(value) && typeof value.index === 'number' && typeof value.input_array === 'string';

const answerOf = (status: number, text: string): { answer: Answer; isApplied: boolean } => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const { message, errors, state } = isRecord(body) ? body : {};
  const answer = {
    status,
    message: typeof message === 'string' ? message : text.slice(0, 200),
    errors: Array.isArray(errors) ? (errors as unknown[]).filter(isEntryError) : [],
  };
  return { answer, isApplied: state === 'applied' || state === 'failed' };
};

interface Failure {
  message: string;
  code?: unknown;
  cause?: unknown;
}

const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'message' in value;

/** `fetch failed` hides what it was in its cause. */
const causeOf = (error: unknown): string => {
  const { cause, message } = isFailure(error) ? error : { cause: undefined, message: String(error) };
  return isFailure(cause) ? String(cause.code ?? cause.message) : message;
};

interface Attempt {
  signs?: Signs;
  answer?: Answer;
  isApplied?: boolean;
  why: string;
}

export const createTrackClient = ({ url, key, ...options }: ClientOptions): TrackClient => {
  const { giveUpAfterMs, signal, onPause = () => {} } = options;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  /** A rate limit is everybody's: nobody sends before it is over. */
  let notBefore = 0;

  const post = (path: string, body: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body,
      signal: AbortSignal.timeout(requestMs),
    });

  const attempt = async (json: string, idempotencyKey: string, isWaiting: boolean): Promise<Attempt> => {
    try {
      const more = { 'Idempotency-Key': idempotencyKey, ...(isWaiting && { Prefer: 'wait=30' }) };
      const response = await post('/users/track', json, more);
      const { status } = response;
      const retryAfter = response.headers.get('retry-after');
      const rateLimitReset = response.headers.get('x-ratelimit-reset');
      const { answer, isApplied } = answerOf(status, await response.text());
      const why = `${status} ${answer.message}`;
      return { signs: { status, retryAfter, rateLimitReset }, answer, isApplied, why };
    } catch (error) {
      return { why: causeOf(error) };
    }
  };

  const pause = async (ms: number): Promise<void> => {
    if (ms <= 0 && !signal.aborted) return;
    await sleep(ms, undefined, { signal }).catch(() => {
      throw new Interrupted();
    });
  };

  const giveUp = (why: string) =>
    failed(
      `${new URL(url).host} has not taken a request for ${Math.round(giveUpAfterMs / 1000)} s (${why}). Is it up? curl ${url}/health/ready tells.`,
    );

  const isAllApplied = async (): Promise<boolean | undefined> => {
    const asked = JSON.stringify({ external_ids: ['nobody'], fields_to_export: ['external_id'] });
    const response = await post('/users/export/ids', asked).catch(() => undefined);
    await response?.text().catch(() => '');
    if (response && [401, 403, 404].includes(response.status)) return undefined;
    return response?.headers.get('x-roster-fresh') === 'true';
  };

  /** The workers are behind, or this was the answer to an earlier attempt. Who may not ask goes on. */
  const untilApplied = async (): Promise<void> => {
    for (const end = Date.now() + giveUpAfterMs; ; await pause(askEveryMs)) {
      if ((await isAllApplied()) !== false) return;
      if (Date.now() > end) throw giveUp('what it has taken is not applied');
    }
  };

  return {
    async track(json, idempotencyKey, isWaiting = false) {
      let lostMs = 0;
      for (let count = 0; count < mostAttempts; count++) {
        await pause(notBefore - Date.now());
        const began = Date.now();
        const { signs, answer, isApplied, why } = await attempt(json, idempotencyKey, isWaiting);
        if (answer && !isPassing(signs)) {
          if (isWaiting && answer.status < 300 && !isApplied) await untilApplied();
          return answer;
        }
        const ms = pauseMs(signs, count, { now: Date.now(), chance: Math.random() });
        if (signs?.status === 429) notBefore = Math.max(notBefore, Date.now() + ms);
        else lostMs += Date.now() - began + ms;
        if (lostMs > giveUpAfterMs) throw giveUp(why);
        onPause(ms, why);
        await pause(ms);
      }
      throw giveUp('it was tried again and again');
    },
    isAllApplied,
  };
};
