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

export interface Sending {
  path: string;
  json: string;
  /** Without one the request must change nothing. */
  idempotencyKey?: string;
  /** When it is answered: kept, applied, or when it is known what became of each entry (for operations that answer with that). */
  until?: 'kept' | 'applied' | 'result';
}

export interface TrackClient {
  send(sending: Sending): Promise<Answer>;
  /** Whether the key has the permission for this operation. */
  may(path: string): Promise<boolean>;
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

/** Renames have a form of their own for what was not done: position and reason. */
const renameError = (value: unknown): EntryError[] => {
  const [index, type] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof index !== 'number' || typeof type !== 'string') return [];
  return [{ type, code: 'NOT_RENAMED', input_array: 'external_id_renames', index }];
};

const answerOf = (status: number, text: string): { answer: Answer; isApplied: boolean } => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const { message, errors, rename_errors, state } = isRecord(body) ? body : {};
  const answer = {
    status,
    message: typeof message === 'string' ? message : text.slice(0, 200),
    errors: [
      ...(Array.isArray(errors) ? (errors as unknown[]).filter(isEntryError) : []),
      ...(Array.isArray(rename_errors) ? (rename_errors as unknown[]).flatMap(renameError) : []),
    ],
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

  const attempt = async ({ path, json, idempotencyKey, until }: Sending): Promise<Attempt> => {
    try {
      const response = await post(path, json, {
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        ...(until === 'applied' && { Prefer: 'wait=30' }),
      });
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

  const send = async (sending: Sending): Promise<Answer> => {
    const { until = 'kept' } = sending;
    let lostMs = 0;
    for (let count = 0; count < mostAttempts; count++) {
      await pause(notBefore - Date.now());
      const began = Date.now();
      const { signs, answer, isApplied, why } = await attempt(sending);
      // Asked again under the same key, it answers with what became of the same request.
      const isQueued = until === 'result' && answer?.status === 202;
      if (answer && !isPassing(signs) && !isQueued) {
        if (until === 'applied' && answer.status < 300 && !isApplied) await untilApplied();
        return answer;
      }
      const ms = pauseMs(signs, count, { now: Date.now(), chance: Math.random() });
      if (signs?.status === 429) notBefore = Math.max(notBefore, Date.now() + ms);
      else lostMs += Date.now() - began + ms;
      if (lostMs > giveUpAfterMs) throw giveUp(isQueued ? 'what it has taken is not applied' : why);
      onPause(ms, why);
      await pause(ms);
    }
    throw giveUp('it was tried again and again');
  };

  /** The permission is looked at before the body is. */
  const permissions = new Map<string, Promise<boolean>>();
  const may = (path: string): Promise<boolean> => {
    const known =
      permissions.get(path) ??
      send({ path, json: '{}' }).then(({ status }) => ![401, 403, 404].includes(status));
    permissions.set(path, known);
    return known;
  };

  return {
    send,
    may,
    track: (json, idempotencyKey, isWaiting = false) =>
      send({ path: '/users/track', json, idempotencyKey, until: isWaiting ? 'applied' : 'kept' }),
    isAllApplied,
  };
};
