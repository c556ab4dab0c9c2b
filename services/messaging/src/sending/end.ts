/** What deliveries count, and their end: in the transaction that wrote the results of their recipients. */
import { expiryAfter, type SendDocument, type Session, type Store } from '@roster/store';

/** A recipient of a delivery leaves a state, comes into one, or both; `isKept`: the message is kept instead of sent. */
interface Move {
  from?: SendDocument['state'] | undefined;
  to?: SendDocument['state'] | undefined;
  isKept?: true | undefined;
}

/** What the moves change in the counts of the delivery: for `$inc`, without what stays the same. */
export const incrementsOf = (moves: readonly Move[]): Record<string, number> => {
  const changes = new Map<string, number>();
  const add = (name: string, n: number) => changes.set(name, (changes.get(name) ?? 0) + n);
  for (const { from, to, isKept } of moves) {
    if (from) add(`counts.${from}`, -1);
    if (to) add(`counts.${to}`, 1);
    if (isKept) add('kept', 1);
  }
  return Object.fromEntries([...changes].filter(([, n]) => n !== 0));
};

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
  const end = { ended: now, expires: expiryAfter(now) };
  await deliveries.updateMany(
    { _id: { $in: over.map(({ _id }) => _id) } },
    { $set: end, $unset: { due: 1 } },
    { session },
  );
  const closed = over.map(({ schedule }) => schedule);
  await schedules.bulkWrite(
    closed.map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: { open: -1 } } } })),
    { session },
  );
  await schedules.updateMany(
    { _id: { $in: closed }, open: { $lte: 0 }, ended: { $exists: false } },
    [{ $set: { state: { $cond: [{ $eq: ['$state', 'sending'] }, 'sent', '$state'] }, ...end } }],
    { session },
  );
};
