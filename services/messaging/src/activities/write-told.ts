/** Writes down what became of an update at the devices that it was sent to, and when the others are tried again. */
import type { ActivityDocument, Store } from '@roster/store';
import { givenUp, mostTries, pauseAfter } from '../sending/retries.ts';
import { type Done, doneIn, tell, type Update, withSuperseded } from './results.ts';

/** Sooner than with messages: what an activity shows is soon out of date. */
const firstPauseMs = 1_000;

/** Of one device: a result, or another try. */
export type ToldDevice = { token: string; gone?: { since?: number } } & (
  | { done: Done }
  | { later: string; afterMs?: number }
);

export interface Turn {
  activity: ActivityDocument;
  update: Update;
  tries: number;
}

const pauseMs = (tries: number, told: readonly ToldDevice[]): number =>
  pauseAfter(
    tries,
    firstPauseMs,
    Math.max(0, ...told.map((one) => ('later' in one ? (one.afterMs ?? 0) : 0))),
  );

const settled = (told: readonly ToldDevice[], tries: number): Done[] =>
  told.flatMap((one): Done[] => {
    if ('done' in one) return [one.done];
    return tries < mostTries
      ? []
      : [{ token: one.token, state: 'refused', reason: givenUp(tries, one.later) }];
  });

/** A token that the app has registered again since is another one, whatever it looks like. */
const isGone = (
  { token, since }: ActivityDocument['devices'][number],
  gone: ReadonlyMap<string, { since?: number }>,
): boolean => {
  const known = gone.get(token);
  return known !== undefined && (known.since === undefined || since.getTime() < known.since);
};

const goneIn = (told: readonly ToldDevice[]): Map<string, { since?: number }> =>
  new Map(told.flatMap(({ token, gone }) => (gone ? [[token, gone] as const] : [])));

export const createWriteTold =
  (store: Store) =>
  ({ activity: { _id, busy }, update, tries }: Turn, told: readonly ToldDevice[]): Promise<void> => {
    const { activities } = store.messages;
    const over = settled(told, tries);
    const done = [...doneIn(update), ...over];
    const gone = goneIn(told);
    const isOver = over.length === told.length;
    const due = new Date(Date.now() + pauseMs(tries, told));
    return store.transact(async (session) => {
      const found = await activities.findOne({ _id }, { session });
      // It ended meanwhile, and began anew or was forgotten.
      if (!found?.update) return tell(store, session, update.request, done);
      const isNewest = found.update.request === update.request;
      // Another process has taken it, because this one was too slow. What is newest, it sends and writes down itself.
      const isOurs = found.busy?.getTime() === busy?.getTime();
      if (isNewest && !isOurs) return;
      await activities.updateOne(
        { _id },
        {
          $unset: { ...(isOurs && { busy: 1 as const }), ...(isNewest && isOver && { due: 1 as const }) },
          $set: {
            devices: found.devices.filter((device) => !isGone(device, gone)),
            ...(isNewest && { 'update.tries': tries, 'update.done': JSON.stringify(done) }),
            ...(isNewest && !isOver && { due }),
          },
        },
        { session },
      );
      if (isNewest) return tell(store, session, update.request, done);
      // A later update has come meanwhile: it is due.
      const left = found.devices.filter(({ token }) => told.some((one) => one.token === token));
      return tell(store, session, update.request, withSuperseded(done, left));
    });
  };
