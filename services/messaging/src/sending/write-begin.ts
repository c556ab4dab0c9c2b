/** The first transaction of a turn: who is being sent to from now on, who waits or is skipped, and how far each delivery has been read. */
import { changeTo } from '@roster/batch';
import { present } from '@roster/contract';
import type { DeliveryDocument, SendDocument, Session, Store } from '@roster/store';
import { type Cap, type Claim, createClaims } from './caps.ts';
import { endDeliveries, incrementsOf } from './end.ts';
import { patienceFor } from './patience.ts';
import { cappedRow } from './rows.ts';

/** A row that is there already, and what it becomes: the row of another person where these were merged, nothing where that one has a row. */
export interface Again {
  before: SendDocument;
  row?: SendDocument;
}

/** What a turn has found out about one delivery. */
export interface Begun {
  delivery: DeliveryDocument;
  fresh: SendDocument[];
  again: Again[];
  cursor?: string;
  read: boolean;
  /** The stamp that is reached; absent where it rests, until it falls due anew. */
  fence?: number;
  merged?: true;
  /** As it was read, where rows hold names from it: an erasure at the same moment may have changed it. */
  recipients?: string;
  /** Of its channel, unless the message is free of them. */
  caps: readonly Cap[];
  /** When there is something to do next, if it is not over. */
  due: Date;
}

/** Another process has taken a delivery of this turn: nothing of the turn counts. */
export class Overtaken extends Error {
  constructor() {
    super('another process has gone on with the delivery');
  }
}

/** It did not end its process while it was prepared. A suspect stays one until its turn is over, and where rows are lost it becomes one. */
const isClear = ({ delivery, again }: Begun): boolean =>
  delivery.taken === 1 && !again.some(({ before }) => before.state === 'sending');

const updateOf = (begun: Begun) => {
  const { delivery, fresh, again, cursor, read, fence, merged, due, recipients } = begun;
  const $inc = incrementsOf([
    ...fresh.map(({ state }) => ({ to: state })),
    ...again.map(({ before, row }) => ({ from: before.state, to: row?.state })),
  ]);
  return {
    updateOne: {
      filter: { _id: delivery._id, taker: delivery.taker as string, ...present({ recipients }) },
      update: {
        $set: {
          read,
          due,
          ...(isClear(begun) && { taken: 0 }),
          ...present({ merged, fence, cursor }),
        },
        ...(fence === undefined && { $unset: { fence: 1 as const } }),
        ...(Object.keys($inc).length > 0 && { $inc }),
      },
    },
  };
};

/** As it was read, so that nobody else can have changed it since. */
const againOf = ({ row, before }: Again) => {
  const filter = { _id: before._id, state: before.state, at: before.at, tries: before.tries };
  if (row?._id !== before._id) return { deleteOne: { filter } };
  const { due, state, tries, at, reason, words } = row;
  return { updateOne: { filter, update: changeTo({ state, tries, at, due, reason, words }) } };
};

const isSending = ({ state }: SendDocument): boolean => state === 'sending';

const rowsIn = ({ again }: Pick<Begun, 'again'>): SendDocument[] => again.flatMap(({ row }) => row ?? []);

const movedIn = ({ again }: Begun): SendDocument[] =>
  again.flatMap(({ before, row }) => (row && row._id !== before._id ? row : []));

const sendingIn = (all: readonly Begun[]): string[] =>
  all.flatMap((begun) => [...begun.fresh, ...rowsIn(begun)].filter(isSending).map(({ profile }) => profile));

/** With those skipped who have reached a cap. */
const claimedOf = (begun: Begun, claim: Claim, now: Date): Begun => {
  const claimed = (row: SendDocument): SendDocument =>
    isSending(row) && !claim(row.profile, begun.caps) ? cappedRow(row, now) : row;
  return {
    ...begun,
    fresh: begun.fresh.map(claimed),
    again: begun.again.map(({ before, row }) => ({ before, ...(row && { row: claimed(row) }) })),
  };
};

export const createWriteBegin = (store: Pick<Store, 'messages' | 'profiles' | 'transact'>) => {
  const { deliveries, sends } = store.messages;
  const claims = createClaims(store);

  const claimAll = async (session: Session, all: readonly Begun[], now: Date): Promise<readonly Begun[]> => {
    const [first] = all.filter(({ caps }) => caps.length > 0);
    const ids = first ? sendingIn(all) : [];
    if (!first || ids.length === 0) return all;
    const { lane, channel } = first.delivery;
    const claim = await claims(session, lane, first.caps, ids, { channel, now });
    return all.map((begun) => claimedOf(begun, claim, now));
  };

  /** Rows that results of other turns have made due meanwhile are not left for later. */
  const wake = (session: Session, all: readonly Begun[]) =>
    deliveries.updateMany(
      {
        _id: { $in: all.map(({ delivery }) => delivery._id) },
        taken: { $not: { $gte: 1 } },
        wake: { $exists: true },
      },
      [{ $set: { due: { $min: ['$due', '$wake'] } } }, { $unset: 'wake' }],
      { session },
    );

  /** Says which rows are being sent. */
  return (asked: readonly Begun[], now: Date): Promise<ReadonlySet<string>> => {
    const rows = asked.flatMap(({ fresh, again }) => [...fresh, ...again]).length;
    return store.transact(async (session: Session) => {
      const all = await claimAll(session, asked, now);
      const { matchedCount } = await deliveries.bulkWrite(all.map(updateOf), { session });
      if (matchedCount !== all.length) throw new Overtaken();
      await wake(session, all);
      const fresh = all.flatMap((begun) => [...begun.fresh, ...movedIn(begun)]);
      if (fresh.length > 0) await sends.insertMany(fresh, { session });
      const again = all.flatMap((begun) => begun.again);
      if (again.length > 0) {
        const changed = await sends.bulkWrite(again.map(againOf), { session });
        if (changed.matchedCount + changed.deletedCount !== again.length) throw new Overtaken();
      }
      const read = all.flatMap((begun) => (begun.read ? begun.delivery._id : []));
      await endDeliveries(store, session, read, now);
      return new Set([...fresh, ...rowsIn({ again })].filter(isSending).map(({ _id }) => _id));
    }, patienceFor(rows));
  };
};
