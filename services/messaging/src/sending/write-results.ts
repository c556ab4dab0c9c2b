/** The second transaction: what became of those who were sent to. A process that comes late corrects what was given up as unknown meanwhile. */
import { changeTo } from '@roster/batch';
import { grouped } from '@roster/profile';
import type { SendDocument, Session, Store } from '@roster/store';
import { endDeliveries, incrementsOf } from './end.ts';
import { patienceFor } from './patience.ts';
import type { Sent } from './send-one.ts';

const changeOf = (
  { state, reason, words, provider, due, devices, outbox, tries, paused, isKept }: Sent,
  at: Date,
) =>
  changeTo({ state, at, reason, words }, { tries, provider, due, devices, outbox, paused, stored: isKept });

/** Nothing but its state, that it is stored, and why and until when it waits: many of these are one update. */
const isPlain = ({ words, provider, devices, outbox, paused }: Sent): boolean =>
  [words, provider, devices, outbox, paused].every((one) => one === undefined);

export interface Known extends Sent {
  /** The state of its row before the result is written. */
  from: SendDocument['state'];
}

type Messages = Store['messages'];

/** Of each try one result counts: the number of tries has to be the same. */
const stillIn = async ({ sends }: Messages, session: Session, results: readonly Sent[]) => {
  const found = await sends
    .find<Pick<SendDocument, '_id' | 'state' | 'tries'>>(
      { _id: { $in: results.map(({ row }) => row._id) } },
      { session, projection: { state: 1, tries: 1 } },
    )
    .toArray();
  const tries = new Map(results.map(({ row }) => [row._id, row.tries]));
  return new Map(
    found.flatMap((row) => (row.tries === tries.get(row._id) ? [[row._id, row.state] as const] : [])),
  );
};

/** What is unknown may be known by now, but is not tried again. */
const mayBecome = (from: Known['from'] | undefined, { state }: Sent): from is 'sending' | 'unknown' =>
  from === 'sending' || (from === 'unknown' && state !== 'waiting' && state !== 'unknown');

/** The same for rows that change alike. */
const changeName = (result: Known): string => {
  const { state, from, row, tries, isKept, reason, due } = result;
  return isPlain(result)
    ? [state, from, row.tries, tries, isKept, reason, due?.getTime()].join('/')
    : row._id;
};

/** How many rows were in the state that was expected of them. */
const writeRows = async ({ sends }: Messages, session: Session, results: readonly Known[], at: Date) => {
  const updates = [...grouped(results, changeName).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const _id = { $in: alike.map(({ row }) => row._id) };
    const filter = { _id, state: first.from, tries: first.row.tries };
    return [{ updateMany: { filter, update: changeOf(first, at) } }];
  });
  return (await sends.bulkWrite(updates, { session })).matchedCount;
};

/** While a turn has the delivery, its `due` is the end of the lease. */
const updatesOf = (_id: string, $inc: Record<string, number>, due: Date | undefined) => {
  if (!due) return [{ updateOne: { filter: { _id }, update: { $inc } } }];
  return [
    { updateOne: { filter: { _id, taken: { $not: { $gte: 1 } } }, update: { $inc, $min: { due } } } },
    { updateOne: { filter: { _id, taken: { $gte: 1 } }, update: { $inc, $min: { wake: due } } } },
  ];
};

const writeCounts = async ({ deliveries }: Messages, session: Session, results: readonly Known[]) => {
  const updates = [...grouped(results, ({ row }) => row.delivery)].flatMap(([_id, own]) => {
    const changes = incrementsOf(own.map(({ state, from, isKept }) => ({ from, to: state, isKept })));
    const [earliest] = own.flatMap(({ due }) => due ?? []).toSorted((a, b) => Number(a) - Number(b));
    return updatesOf(_id, changes, earliest);
  });
  await deliveries.bulkWrite(updates, { session });
};

/** Another process has changed a row of this turn meanwhile. */
export class Changed extends Error {}

/** Throws `Changed` where a row is no longer as it was read. */
export const writeKnown = async (
  store: Pick<Store, 'messages'>,
  session: Session,
  results: readonly Known[],
): Promise<void> => {
  const { messages } = store;
  if (results.length === 0) return;
  const at = new Date();
  if ((await writeRows(messages, session, results, at)) !== results.length) throw new Changed();
  await writeCounts(messages, session, results);
  await endDeliveries(store, session, [...new Set(results.map(({ row }) => row.delivery))], at);
};

export const createWriteResults = (store: Pick<Store, 'messages' | 'transact'>) => {
  /** Those whose rows are as they were read in this transaction. */
  const writeWhatCounts = (all: readonly Sent[]): Promise<void> =>
    store.transact(async (session) => {
      const from = await stillIn(store.messages, session, all);
      const known = all.flatMap((result): Known[] => {
        const before = from.get(result.row._id);
        return mayBecome(before, result) ? [{ ...result, from: before }] : [];
      });
      await writeKnown(store, session, known);
    }, patienceFor(all.length));

  /** Nearly always all rows are still being sent: then nothing has to be read before. */
  return async (all: readonly Sent[]): Promise<void> => {
    const expected = all.map((result): Known => ({ ...result, from: 'sending' }));
    try {
      await store.transact((session) => writeKnown(store, session, expected), patienceFor(all.length));
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      await writeWhatCounts(all);
    }
  };
};
