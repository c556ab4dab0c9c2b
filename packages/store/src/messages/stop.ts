/** Ends schedules before all recipients were sent to. */
import type { Collection, Session } from '../connection/db.ts';
import type { DeliveryDocument, Halted, ScheduleDocument } from '../models/messages.ts';
import type { CollectionsOf, Models } from '../models/models.ts';
import { expiryOf } from '../requests/outcomes.ts';

const keptDays = 90;

/** How long schedules and deliveries that are over are kept. */
export const expiryAfter = (ended: Date): Date => expiryOf(ended, keptDays);

/** The deliveries of a dispatch, by their ids: `0` follows `/`. */
export const deliveriesOf = (dispatch: string) => ({ _id: { $gt: `${dispatch}/`, $lt: `${dispatch}0` } });

type Filter = Parameters<Collection<DeliveryDocument>['find']>[0];

export interface Stopping {
  now: Date;
  /** The stamp of the request, and the id of its key. */
  changed: number;
  by?: string;
}

/**
 * Takes the delivery from its process: a turn that has not begun to send fails in its first transaction, so no other message leaves. Messages
 * that are being sent get their results, and waiting recipients are skipped, page by page.
 */
export const haltDeliveries = async (
  { deliveries }: CollectionsOf<'deliveries'>,
  session: Session,
  { which, halted, now }: { which: Pick<Filter, '_id'>; halted: Halted; now: Date },
): Promise<void> => {
  await deliveries.updateMany(
    { ...which, ended: { $exists: false }, halted: { $exists: false } },
    { $set: { halted, read: true, due: now, taken: 0 }, $unset: { taker: 1 } },
    { session },
  );
};

/** A waiting schedule is cancelled, one that is being sent is stopped. One that is over stays as it is; then the result is `false`. */
export const createStopSchedule =
  ({ deliveries }: CollectionsOf<'deliveries'>, models: Pick<Models, 'schedules'>) =>
  async (
    session: Session,
    { _id, dispatch, ended, state }: Pick<ScheduleDocument, '_id' | 'dispatch' | 'ended' | 'state'>,
    { now, changed, by }: Stopping,
  ): Promise<boolean> => {
    if (ended || state === 'stopped') return false;
    const who = { changed, ...(by !== undefined && { by }) };
    if (state === 'waiting') {
      const cancelled = { state: 'cancelled', ended: now, expires: expiryAfter(now), ...who } as const;
      await models.schedules.updateOne({ _id, state }, { $set: cancelled, $unset: { due: 1 } }, { session });
      return true;
    }
    await haltDeliveries({ deliveries }, session, { which: deliveriesOf(dispatch), halted: 'stopped', now });
    await models.schedules.updateOne({ _id }, { $set: { state: 'stopped', ...who } }, { session });
    return true;
  };
