/** Writes down what became of an update at the devices that it was sent to, and when the others are tried again. */
import type { ActivityDocument, Store } from '@roster/store';
import { givenUp, mostTries, pauseAfter } from '../sending/retries.ts';
import { type Done, doneIn, tell, type Update, withOvertaken } from './results.ts';

/** Sooner than with messages: what an activity shows is soon out of date. */
const firstPauseMs = 1_000;

/** Of one device: a result, or another try. */
export type Told = { token: string; gone?: boolean } & ({ done: Done } | { later: string; afterMs?: number });

export interface Turn {
  activity: ActivityDocument;
  update: Update;
  tries: number;
}

const pauseMs = (tries: number, told: readonly Told[]): number =>
  pauseAfter(
    tries,
    firstPauseMs,
    Math.max(0, ...told.map((one) => ('later' in one ? (one.afterMs ?? 0) : 0))),
  );

const settled = (told: readonly Told[], tries: number): Done[] =>
  told.flatMap((one): Done[] => {
    if ('done' in one) return [one.done];
    return tries < mostTries
      ? []
      : [{ token: one.token, state: 'refused', reason: givenUp(tries, one.later) }];
  });

export const createWriteTold =
  (store: Pick<Store, 'messages' | 'requests' | 'transact'>) =>
  ({ activity, update, tries }: Turn, told: readonly Told[]): Promise<void> => {
    const { activities } = store.messages;
    const now = Date.now();
    const over = settled(told, tries);
    const done = [...doneIn(update), ...over];
    const gone = told.flatMap(({ token, gone: isGone }) => (isGone ? [token] : []));
    const forget = gone.length > 0 ? { $pull: { tokens: { $in: gone } } } : {};
    const isOver = over.length === told.length;
    return store.transact(async (session) => {
      const { matchedCount } = await activities.updateOne(
        { _id: activity._id, 'update.request': update.request },
        {
          ...forget,
          $unset: { busy: 1, ...(isOver && { due: 1 as const }) },
          $set: {
            'update.tries': tries,
            'update.done': JSON.stringify(done),
            ...(!isOver && { due: new Date(now + pauseMs(tries, told)) }),
          },
        },
        { session },
      );
      if (matchedCount === 1) return tell(store, session, update.request, done);
      // A later update has come meanwhile: it is due.
      await activities.updateOne({ _id: activity._id }, { ...forget, $unset: { busy: 1 } }, { session });
      await tell(store, session, update.request, withOvertaken(done, activity.tokens));
    });
  };
