/** Ends schedules before everybody was sent to. */
import type { Collection, Session } from '../connection/db.ts';
import { expiryOf } from '../requests/outcomes.ts';
import type { DeliveryDocument, Halted, ScheduleDocument } from './documents.ts';

const keptDays = 90;

/** Until when schedules and deliveries that are over are kept. */
export const expiryAfter = (ended: Date): Date => expiryOf(ended, keptDays);

/** The deliveries of a dispatch, by their ids: `0` follows `/`. */
export const deliveriesOf = (dispatch: string) => ({ _id: { $gt: `${dispatch}/`, $lt: `${dispatch}0` } });

type Filter = Parameters<Collection<DeliveryDocument>['find']>[0];

interface Collections {
  schedules: Collection<ScheduleDocument>;
  deliveries: Collection<DeliveryDocument>;
}

export interface Stopping {
  now: Date;
  /** The stamp of the request, and the id of its key. */
  changed: number;
  by?: string;
}

/**
 * A turn that has not begun to send meets this in its first transaction, as it is no longer the taker: nobody else is sent to. Who is being
 * sent to gets a result, and a process takes those who wait out, page by page.
 */
export const haltDeliveries = async (
  { deliveries }: Pick<Collections, 'deliveries'>,
  session: Session,
  { which, halted, now }: { which: Pick<Filter, '_id'>; halted: Halted; now: Date },
): Promise<void> => {
  await deliveries.updateMany(
    { ...which, ended: { $exists: false }, halted: { $exists: false } },
    { $set: { halted, read: true, due: now, taken: 0 }, $unset: { taker: 1 } },
    { session },
  );
};

/** It is cancelled while it waits, and stopped while it is being sent. One that is over stays as it is: then it says `false`. */
export const createStopSchedule =
  ({ schedules, deliveries }: Collections) =>
  async (
    session: Session,
    { _id, dispatch, ended, state }: Pick<ScheduleDocument, '_id' | 'dispatch' | 'ended' | 'state'>,
    { now, changed, by }: Stopping,
  ): Promise<boolean> => {
    if (ended || state === 'stopped') return false;
    const who = { changed, ...(by !== undefined && { by }) };
    if (state === 'waiting') {
      const cancelled = { state: 'cancelled', ended: now, expires: expiryAfter(now), ...who } as const;
      await schedules.updateOne({ _id, state }, { $set: cancelled, $unset: { due: 1 } }, { session });
      return true;
    }
    await haltDeliveries({ deliveries }, session, { which: deliveriesOf(dispatch), halted: 'stopped', now });
    await schedules.updateOne({ _id }, { $set: { state: 'stopped', ...who } }, { session });
    return true;
  };
