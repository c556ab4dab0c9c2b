/** What became of an update at each device, as `GET /requests/{id}` tells it, and when those that do not have it are tried again. */

import { changeTo } from '@roster/batch';
import type { Answer } from '@roster/channels';
import { present } from '@roster/contract';
import type { ActivityDocument, Session, Store } from '@roster/store';
import { givenUp, mostTries, pauseAfter, pauseFor } from '../sending/retries.ts';

export type Update = NonNullable<ActivityDocument['update']>;
type Devices = ActivityDocument['devices'];
export type Device = Devices[number];

interface Named {
  token: string;
  /** It is a broadcast channel. */
  channel?: true;
}

export interface Done extends Named {
  state: 'sent' | 'refused' | 'unknown' | 'superseded';
  reason?: string;
  id?: string;
}

/** The reason in the outcome of an update that another one came before, and the state of the devices that did not get it. */
export const superseded = 'superseded';

export const doneIn = ({ done }: Pick<Update, 'done'>): Done[] => JSON.parse(done);

export const nameIn = ({ token, channel }: Pick<Device, 'token' | 'channel'>): Named => ({
  token,
  ...(channel !== undefined && { channel: true }),
});

/** With enough of its token to know a device by. */
export const shownDevice = ({ token, ...result }: Named & { state: string }) => ({
  device: `...${token.slice(-8)}`,
  ...result,
});

export const bodyOf = (done: readonly Done[]) => ({ message: 'success', devices: done.map(shownDevice) });

/** Those without a result will never get this update: a later one has come. */
export const withSuperseded = (done: readonly Done[], devices: Devices): Done[] => {
  const has = new Set(done.map(({ token }) => token));
  const others = devices.filter(({ token }) => !has.has(token));
  return [...done, ...others.map((one): Done => ({ ...nameIn(one), state: superseded }))];
};

/** Why what is left of an update is not sent: the next one is later, or ended the activity before this one was accepted. */
export const reasonBefore = (
  { at }: Pick<Update, 'at'>,
  next: { at: number; ended: boolean },
): typeof superseded | 'ignored:ended' => (next.ended && next.at < at ? 'ignored:ended' : superseded);

export const tell = async (
  { requests }: Store,
  session: Session,
  request: string,
  done: readonly Done[],
  why: ReturnType<typeof reasonBefore> = superseded,
) => {
  const reason = done.some(({ state }) => state === superseded) ? why : undefined;
  const change = changeTo({ reason }, { 'answer.body': JSON.stringify(bodyOf(done)) });
  await requests.updateOne({ _id: request, answer: { $exists: true } }, change, { session });
};

/** App ids may hold any sign: the length says where this one ends. */
export const keyOf = (ws: string, { app_id, activity_id }: { app_id: string; activity_id: string }): string =>
  `${ws}/${app_id.length}:${app_id}/${activity_id}`;

/** Sooner than with messages: what an activity shows is soon out of date. */
const firstPauseMs = 1_000;

export interface ToldDevice extends Pick<Device, 'token' | 'channel'> {
  answer: Answer;
}

interface Turn {
  activity: ActivityDocument;
  update: Update;
}

/** For those whom nobody asked. */
const soonestMs = 250;

/** So long it costs no try that a device was not asked: no activity lives longer. */
export const livesMs = 12 * 60 * 60 * 1000;

const ageOf = ({ at }: Pick<Update, 'at'>): number => Date.now() - at / 1000;

/** There was no time, or APNs wants a pause. */
const isUnasked = ({ answer }: ToldDevice, update: Update): boolean =>
  answer.state === 'later' && answer.unbegun === true && ageOf(update) < livesMs;

/** An end whose answer was lost is tried again: nothing comes after it, and a device knows a repetition. */
const isOpen = ({ answer }: ToldDevice, { activity: { ended } }: Turn): boolean =>
  answer.state === 'later' || (answer.state === 'unknown' && ended === true);

const afterMsOf = ({ answer }: ToldDevice): number => (answer.state === 'later' ? (answer.afterMs ?? 0) : 0);

/** The number of tries with this turn, which counts where a device that is tried again was asked in it; and when the next one is due. */
const nextTry = (turn: Turn, told: readonly ToldDevice[]): { tries: number; pauseMs: number } => {
  const { update } = turn;
  const open = told.filter((one) => isOpen(one, turn));
  const asked = open.filter((one) => !isUnasked(one, update));
  const tries = update.tries + (open.length > 0 && asked.length === 0 ? 0 : 1);
  const pauseMs =
    asked.length > 0
      ? pauseAfter(tries, firstPauseMs, Math.max(...asked.map(afterMsOf)))
      : pauseFor(ageOf(update), Math.max(soonestMs, Math.min(...open.map(afterMsOf))));
  return { tries, pauseMs };
};

/** Those that are not tried again. */
const settled = (told: readonly ToldDevice[], turn: Turn, tries: number): Done[] =>
  told.flatMap((one): Done[] => {
    const { answer } = one;
    const name = nameIn(one);
    if (answer.state === 'sent') return [{ ...name, state: 'sent', ...present({ id: answer.id }) }];
    if (isOpen(one, turn) && (tries < mostTries || isUnasked(one, turn.update))) return [];
    if (answer.state !== 'later') return [{ ...name, state: answer.state, reason: answer.reason }];
    return [{ ...name, state: 'refused', reason: givenUp(tries, answer.reason) }];
  });

/** Tokens that are of no device any more, and since when. One that the app has registered again since is another one, whatever it looks like. */
const goneIn = (told: readonly ToldDevice[]): Map<string, number> =>
  new Map(
    told.flatMap(({ token, answer }) =>
      answer.state === 'refused' && answer.gone && (answer.gone.isSure?.() ?? true)
        ? [[token, answer.gone.since ?? Number.POSITIVE_INFINITY] as const]
        : [],
    ),
  );

export const createWriteTold =
  (store: Store) =>
  (turn: Turn, told: readonly ToldDevice[]): Promise<void> => {
    const { activity, update } = turn;
    const { tries, pauseMs } = nextTry(turn, told);
    const { _id, busy } = activity;
    const { activities } = store.messages;
    const over = settled(told, turn, tries);
    const done = [...doneIn(update), ...over];
    const gone = goneIn(told);
    const due = over.length < told.length ? new Date(Date.now() + pauseMs) : undefined;
    return store.transact(async (session) => {
      const found = await activities.findOne({ _id }, { session });
      // It ended meanwhile, and began anew or was forgotten.
      if (!found?.update) return tell(store, session, update.request, done);
      const isNewest = found.update.request === update.request;
      // Another process has taken it, because this one was too slow. What is newest, it sends and writes down itself.
      const isOurs = found.busy?.getTime() === busy?.getTime();
      if (isNewest && !isOurs) return;
      const change = changeTo(
        { ...(isOurs && { busy: undefined }), ...(isNewest && { due }) },
        {
          devices: found.devices.filter(({ token, since }) => since.getTime() >= (gone.get(token) ?? 0)),
          ...(isNewest && { 'update.tries': tries, 'update.done': JSON.stringify(done) }),
        },
      );
      await activities.updateOne({ _id }, change, { session });
      if (isNewest) return tell(store, session, update.request, done);
      // A later update has come meanwhile: it is due.
      const left = found.devices.filter(({ token }) => told.some((one) => one.token === token));
      const next = { at: found.update.at, ended: found.ended === true };
      return tell(store, session, update.request, withSuperseded(done, left), reasonBefore(update, next));
    });
  };
