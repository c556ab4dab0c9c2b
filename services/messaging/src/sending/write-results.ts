/** The second transaction: what became of those who were sent to. A process that comes late corrects what was given up as unknown meanwhile. */
import type { DeliveryDocument, SendCounts, SendDocument, Session, Store } from '@roster/store';
import { endDeliveries } from './end.ts';
import type { Sent } from './send-one.ts';
import { incrementsOf } from './write-begin.ts';

const changeOf = ({ state, reason, provider, due, outbox, tries }: Sent, at: Date) => ({
  $set: {
    state,
    at,
    ...(tries !== undefined && { tries }),
    ...(reason !== undefined && { reason }),
    ...(provider !== undefined && { provider }),
    ...(due && { due }),
    ...(outbox !== undefined && { outbox }),
  },
  ...(reason === undefined && { $unset: { reason: 1 as const } }),
});

/** Nothing but its state: many of these are one update. */
const isPlain = ({ reason, provider, due, outbox }: Sent): boolean =>
  reason === undefined && provider === undefined && due === undefined && outbox === undefined;

type Ends = Pick<DeliveryDocument, '_id' | 'schedule'>;

export interface Result extends Sent {
  delivery: Ends;
}

type From = 'sending' | 'unknown';

const add = (changes: Map<string, Partial<SendCounts>>, id: string, state: keyof SendCounts, n: number) => {
  const of = changes.get(id) ?? {};
  of[state] = (of[state] ?? 0) + n;
  changes.set(id, of);
};

type Messages = Store['messages'];

/** Of each try one result counts: the number of tries has to be the same. */
const stillIn = async (
  { sends }: Messages,
  session: Session,
  results: readonly Result[],
  states: readonly From[],
): Promise<Map<string, From>> => {
  const found = await sends
    .find<Pick<SendDocument, '_id' | 'state' | 'tries'>>(
      { _id: { $in: results.map(({ row }) => row._id) } },
      { session, projection: { state: 1, tries: 1 } },
    )
    .toArray();
  const tries = new Map(results.map(({ row }) => [row._id, row.tries]));
  return new Map(
    found.flatMap(({ _id, state, tries: stored }) => {
      const from = states.find((one) => one === state);
      return from && stored === tries.get(_id) ? [[_id, from] as const] : [];
    }),
  );
};

const writeRows = async (
  { sends }: Messages,
  session: Session,
  results: readonly Result[],
  at: Date,
): Promise<void> => {
  const same = new Map<Sent['state'], string[]>();
  for (const { row, state } of results.filter(isPlain)) {
    const ids = same.get(state) ?? [];
    ids.push(row._id);
    same.set(state, ids);
  }
  for (const [state, ids] of same)
    await sends.updateMany(
      { _id: { $in: ids } },
      { $set: { state, at }, $unset: { reason: 1 } },
      { session },
    );
  const own = results.filter((result) => !isPlain(result));
  if (own.length > 0)
    await sends.bulkWrite(
      own.map((result) => ({
        updateOne: { filter: { _id: result.row._id }, update: changeOf(result, at) },
      })),
      { session },
    );
};

const writeCounts = async (
  { deliveries }: Messages,
  session: Session,
  results: readonly Result[],
  from: ReadonlyMap<string, From>,
): Promise<void> => {
  const changes = new Map<string, Partial<SendCounts>>();
  const dues = new Map<string, Date>();
  for (const { row, delivery, state, due } of results) {
    add(changes, delivery._id, from.get(row._id) ?? 'sending', -1);
    add(changes, delivery._id, state, 1);
    const earliest = dues.get(delivery._id);
    if (due && (!earliest || due < earliest)) dues.set(delivery._id, due);
  }
  await deliveries.bulkWrite(
    [...changes].map(([_id, change]) => {
      const due = dues.get(_id);
      const $inc = incrementsOf(change);
      return { updateOne: { filter: { _id }, update: { $inc, ...(due && { $min: { due } }) } } };
    }),
    { session },
  );
};

export const createWriteResults =
  (store: Pick<Store, 'messages' | 'transact'>) =>
  (all: readonly Result[]): Promise<void> =>
    store.transact(async (session) => {
      const at = new Date();
      const from = await stillIn(store.messages, session, all, ['sending', 'unknown']);
      // What is unknown may be known by now, but is not tried again.
      const results = all.filter(({ row, state }) => {
        const before = from.get(row._id);
        return before === 'sending' || (before === 'unknown' && state !== 'waiting' && state !== 'unknown');
      });
      if (results.length === 0) return;
      await writeRows(store.messages, session, results, at);
      await writeCounts(store.messages, session, results, from);
      const ends = new Map(results.map(({ delivery }) => [delivery._id, delivery]));
      await endDeliveries(store, session, [...ends.values()], at);
    });
