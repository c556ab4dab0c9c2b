/** Deliveries and schedules that are over, in the transaction that wrote their last results. */
import { type DeliveryDocument, expiryAfter, type Session, type Store } from '@roster/store';

const nobodyLeft = { read: true, 'counts.waiting': 0, 'counts.sending': 0 };

/** Those among them that have nothing left to do. */
export const endDeliveries = async (
  { messages: { deliveries, schedules } }: Pick<Store, 'messages'>,
  session: Session,
  all: readonly Pick<DeliveryDocument, '_id' | 'schedule'>[],
  now: Date,
): Promise<void> => {
  if (all.length === 0) return;
  const ids = all.map(({ _id }) => _id);
  const over = await deliveries
    .find(
      { _id: { $in: ids }, ...nobodyLeft, ended: { $exists: false } },
      { session, projection: { schedule: 1 } },
    )
    .toArray();
  if (over.length === 0) return;
  const ended = { $set: { ended: now, expires: expiryAfter(now) }, $unset: { due: 1 as const } };
  await deliveries.updateMany({ _id: { $in: over.map(({ _id }) => _id) } }, ended, { session });
  const closed = over.map(({ schedule }) => schedule);
  await schedules.bulkWrite(
    closed.map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: { open: -1 } } } })),
    { session },
  );
  await schedules.updateMany(
    { _id: { $in: closed }, open: { $lte: 0 }, ended: { $exists: false } },
    [
      {
        $set: {
          state: { $cond: [{ $eq: ['$state', 'sending'] }, 'sent', '$state'] },
          ended: now,
          expires: expiryAfter(now),
        },
      },
    ],
    { session },
  );
};
