/** Sends one body to the public interface, by the client of this repository, until it is answered: through rate limits, overload and broken connections. */
import { setTimeout as sleep } from 'node:timers/promises';
import { about, type CallOptions, Roster, RosterError } from '@roster/client';
import { operations } from '@roster/contract';
import { failed } from '../result.ts';
import { type Answer, answerOf } from './answer.ts';
import { createKnown, type Known } from './known-there.ts';
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
type Retries = Pick<CallOptions, 'retryFor' | 'retryIf' | 'pause'>;

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
const createPost = ({ url, key }: Target) => {
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

type Post = ReturnType<typeof createPost>;

export interface ClientOptions extends Target {
  /** How long a request without an answer is tried again. Pauses that the server asked for do not count. */
  giveUpAfterMs: number;
  /** Ends the waiting: requests on the wire are still answered. */
  signal: AbortSignal;
  /** Called with the reason of a pause. */
  onPause?: (ms: number, why: string) => void;
}

export interface TrackClient {
  send(sending: Sending): Promise<Answer>;
  /** Whether the key has the permission for this operation. */
  may(path: string): Promise<boolean>;
  /** Which apps and groups the workspace has. */
  known: Known;
}

const askEveryMs = 250;
const applyWithinMs = 600_000;
/** Of one pause, whatever the server asks for. */
const longestMs = 2 * 3600 * 1000;

/** Without the permission, or at a server without this path. */
const mayNot = ({ status }: Answer): boolean => [401, 403, 404].includes(status);

/** Any read tells whether it holds all that was accepted before it. */
const asked = { external_ids: ['nobody'], fields_to_export: ['external_id'] };

/** Waits until every request accepted before is applied; `unknown` when the key may not ask. */
const createUntilApplied =
  (post: Post, { signal }: ClientOptions) =>
  async (ms = applyWithinMs): Promise<boolean | 'unknown'> => {
    for (const end = Date.now() + ms; Date.now() < end && !signal.aborted; await sleep(askEveryMs)) {
      const answer = await post({ path: '/users/export/ids', json: JSON.stringify(asked) });
      if (mayNot(answer)) return 'unknown';
      if (answer.isFresh) return true;
    }
    return false;
  };

/** The server checks the permission before the body. Each is asked for once. */
const createMay = (send: TrackClient['send']): TrackClient['may'] => {
  const permissions = new Map<string, Promise<boolean>>();
  return (path) => {
    const known = permissions.get(path) ?? send({ path, json: '{}' }).then((answer) => !mayNot(answer));
    permissions.set(path, known);
    return known;
  };
};

/** Pauses before a request is sent again. Those of rate limits hold for all requests, and take nothing from the patience. */
const createPatience = ({ url, giveUpAfterMs, signal, onPause }: ClientOptions) => {
  let notBefore = 0;
  const pause = async (ms: number): Promise<void> => {
    if (ms > 0 || signal.aborted) await sleep(ms, undefined, { signal });
  };
  const untilOpen = (): Promise<void> => pause(notBefore - Date.now());
  const giveUp = (why: string) =>
    failed(
      `${new URL(url).host} has not taken a request for ${Math.round(giveUpAfterMs / 1000)} s (${why}). Is it up? curl ${url}/health/ready tells.`,
    );

  const retries = async (): Promise<Retries> => {
    await untilOpen();
    let [lostMs, began] = [0, Date.now()];
    return {
      retryFor: Number.POSITIVE_INFINITY,
      retryIf: ({ status }) => status >= 500,
      async pause({ error: { status, message }, ms: askedMs }) {
        const ms = Math.min(askedMs, longestMs);
        const why = status > 0 ? `${status} ${message}` : message;
        if (status === 429) notBefore = Math.max(notBefore, Date.now() + ms);
        else lostMs += Date.now() - began + ms;
        if (lostMs > giveUpAfterMs) throw giveUp(why);
        onPause?.(ms, why);
        await pause(ms);
        await untilOpen();
        began = Date.now();
      },
    };
  };
  return { pause, giveUp, retries };
};

const isWhatWasAsked = ({ status, outcome }: Answer, until: Sending['until']): boolean => {
  if (until === 'result') return status !== 202;
  return until !== 'applied' || status >= 300 || outcome !== undefined;
};

/** Sends a request until it is answered, within the patience of the client. Sent again under the same key, it is answered with what became of the first one. */
const createSend = (post: Post, options: ClientOptions): TrackClient['send'] => {
  const { pause, giveUp, retries } = createPatience(options);
  return async (sending) => {
    let end: number | undefined;
    for (let pauseMs = 0; ; pauseMs = askEveryMs) {
      const answer = await post(sending, await retries());
      if (isWhatWasAsked(answer, sending.until)) return answer;
      if (end !== undefined && Date.now() > end) throw giveUp('what it has taken is not applied');
      end ??= Date.now() + options.giveUpAfterMs;
      await pause(pauseMs);
    }
  };
};

export const createTrackClient = (options: ClientOptions) => {
  const post = createPost(options);
  const send = createSend(post, options);
  return {
    send,
    may: createMay(send),
    known: createKnown((json) => send({ path: '/users/track', json })),
    untilApplied: createUntilApplied(post, options),
  };
};
