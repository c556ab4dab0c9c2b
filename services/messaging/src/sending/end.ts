/** What deliveries count, and their end: in the transaction that wrote the results of their recipients. */
import { expiryAfter, type SendCounts, type Session, type Store } from '@roster/store';

/** How many recipients of a delivery come into a state or leave it, and of how many the message is kept instead of sent. */
export type CountChanges = Partial<SendCounts & { kept: number }>;

export const count = (changes: CountChanges, state: keyof CountChanges, n: number): void => {
  changes[state] = (changes[state] ?? 0) + n;
};

/** For `$inc`, without what stays the same. */
export const incrementsOf = (changes: CountChanges): Record<string, number> =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([, n]) => n !== 0)
      .map(([state, n]) => [state === 'kept' ? state : `counts.${state}`, n]),
  );

const nobodyLeft = { read: true, 'counts.waiting': 0, 'counts.sending': 0 };

/** Ends those among them that have nothing left to do, and their schedules. */
export const endDeliveries = async (
  { messages: { deliveries, schedules } }: Pick<Store, 'messages'>,
  session: Session,
  ids: readonly string[],
  now: Date,
): Promise<void> => {
  if (ids.length === 0) return;
  const over = await deliveries
    .find(
      { _id: { $in: [...ids] }, ...nobodyLeft, ended: { $exists: false } },
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
