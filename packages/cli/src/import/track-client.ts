/** Sends one body to the public interface until it is answered: through rate limits, overload and broken connections, and waits for its effect. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Outcome } from './answer.ts';
import { type Attempt, createDoor, type Door, type Sending } from './attempt.ts';
import type { ClientOptions } from './client-options.ts';
import { type Answered, createInsist } from './insist.ts';
import { askEveryMs, createPatience, type Patience } from './patience.ts';

export type { Answer } from './answer.ts';
export type { Sending } from './attempt.ts';

export interface TrackClient {
  send(sending: Sending): Promise<Answer>;
  /** Whether the key has the permission for this operation. */
  may(path: string): Promise<boolean>;
  /** With `isWaiting` it resolves when the request is applied, not only kept. */
  track(json: string, idempotencyKey: string, isWaiting?: boolean): Promise<Answer>;
  /** Whether every request accepted before has been applied; `undefined` when the key may not ask. */
  isAllApplied(): Promise<boolean | undefined>;
}

/** Without the permission, or at a server without this path. */
const mayNotAsk = ({ answer }: Attempt): boolean =>
  answer !== undefined && [401, 403, 404].includes(answer.status);

const isAllApplied = async (door: Door): Promise<boolean | undefined> => {
  const asked = { external_ids: ['nobody'], fields_to_export: ['external_id'] };
  const attempt = await door.post({ path: '/users/export/ids', json: JSON.stringify(asked) });
  return mayNotAsk(attempt) ? undefined : attempt.isFresh === true;
};

/** `false`: not yet. `undefined` when the key may not ask. */
const outcomeOf = async (door: Door, id: string): Promise<Outcome | undefined | false> => {
  const attempt = await door.outcome(id);
  return mayNotAsk(attempt) ? undefined : (attempt.answer?.outcome ?? false);
};

/** The server checks the permission before the body. Each is asked for once. */
const createMay = (send: TrackClient['send']): TrackClient['may'] => {
  const permissions = new Map<string, Promise<boolean>>();
  return (path) => {
    const known =
      permissions.get(path) ??
      send({ path, json: '{}' }).then(({ status }) => ![401, 403, 404].includes(status));
    permissions.set(path, known);
    return known;
  };
};

const applyWithinMs = 600_000;

/** Waits until every request accepted before is applied; `unknown` when the key may not ask. */
export const untilApplied = async (
  { isAllApplied: ask }: TrackClient,
  signal: AbortSignal,
  ms = applyWithinMs,
): Promise<boolean | 'unknown'> => {
  for (const end = Date.now() + ms; Date.now() < end && !signal.aborted; await sleep(askEveryMs)) {
    const applied = await ask();
    if (applied !== false) return applied ?? 'unknown';
  }
  return false;
};

/** The workers are behind, or this was the answer to an earlier attempt. Without the permission the result stays unknown. */
const createWithOutcome =
  (door: Door, { until }: Patience) =>
  async ({ answer, requestId }: Answered): Promise<Answer> => {
    const outcome = requestId === undefined ? undefined : await until(() => outcomeOf(door, requestId));
    if (outcome) return { ...answer, outcome };
    await until(() => isAllApplied(door));
    return answer;
  };

const createSend = (door: Door, options: ClientOptions): TrackClient['send'] => {
  const patience = createPatience(options);
  const insist = createInsist(door, options, patience);
  const withOutcome = createWithOutcome(door, patience);

  /** Asked again under the same key, it answers with the outcome of the same request. */
  const result = async (sending: Sending): Promise<Answer | false> => {
    const { answer } = await insist(sending);
    return answer.status === 202 ? false : answer;
  };

  return async (sending) => {
    const { until: when = 'kept' } = sending;
    if (when === 'result') return patience.until(() => result(sending));
    const answered = await insist(sending);
    const { answer } = answered;
    const isOpen = when === 'applied' && answer.status < 300 && !answer.outcome;
    return isOpen ? withOutcome(answered) : answer;
  };
};

export const createTrackClient = (options: ClientOptions): TrackClient => {
  const door = createDoor({ url: options.url, key: options.key });
  const send = createSend(door, options);
  return {
    send,
    may: createMay(send),
    track: (json, idempotencyKey, isWaiting = false) =>
      send({ path: '/users/track', json, idempotencyKey, until: isWaiting ? 'applied' : 'kept' }),
    isAllApplied: () => isAllApplied(door),
  };
};
