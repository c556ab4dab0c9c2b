/** Deliveries that have something to do are taken: nobody else goes on with them for a while. Then they are given back, or given up. */
import { randomUUID } from 'node:crypto';
import { type DeliveryDocument, haltDeliveries, type Store } from '@roster/store';

const most = { deliveries: 200, bytes: 4 * 1024 * 1024 };

/** Of suspects in one lane whose process has ended once, so many are tried together. */
const mostSuspects = 32;

type Deliveries = Store['messages']['deliveries'];
type Filter = Parameters<Deliveries['find']>[0];

/** After each end of a process it is a suspect for twice as many turns, up to this power of two. */
const mostDoubled = 10;

/**
 * What is known of a suspect after a turn that ended well; `taken` counts that turn, too. One such turn after the first end clears it, two after
 * the second one, then four: whoever ends processes now and then does so a few times in all, and not each time that it was cleared.
 */
export const afterGoodTurn = ({
  taken = 1,
  ends = 0,
  good = 0,
}: Pick<DeliveryDocument, 'taken' | 'ends' | 'good'>) => {
  const since = taken - (good > 0 ? 2 : 1);
  const inAll = ends + Math.max(0, since);
  const goodNow = (since > 0 ? 0 : good) + 1;
  const isCleared = goodNow >= 2 ** Math.min(mostDoubled, inAll - 1);
  return { taken: isCleared ? 0 : 1, ends: inAll, good: isCleared ? 0 : goodNow };
};

const innocent = { taken: { $not: { $gte: 1 } }, halted: { $exists: false } };

const firstOf = async (deliveries: Deliveries, which: Filter, atMost: number): Promise<string[]> => {
  const found = deliveries.find<{ _id: string; bytes: number }>(which, {
    sort: { due: 1 },
    limit: atMost,
    projection: { bytes: { $bsonSize: '$$ROOT' } },
  });
  const ids: string[] = [];
  let bytes = 0;
  for await (const { _id, bytes: size } of found) {
    if (ids.length > 0 && bytes + size > most.bytes) break;
    ids.push(_id);
    bytes += size;
  }
  return ids;
};

export const createTaking = (
  { messages, transact }: Pick<Store, 'messages' | 'transact'>,
  leaseMs: number,
) => {
  const { deliveries, schedules } = messages;

  /** For `leaseMs`: a process that takes longer to read a page is overtaken by another one. Each turn is counted until it comes to an end. */
  const takeOf = async (which: Filter, now: Date, atMost: number): Promise<DeliveryDocument[]> => {
    const ids = await firstOf(deliveries, which, atMost);
    if (ids.length === 0) return [];
    const taker = randomUUID();
    const lease = {
      $set: { taker, due: new Date(now.getTime() + leaseMs) },
      $unset: { wake: 1 as const },
      $inc: { taken: 1 },
    };
    await deliveries.updateMany({ ...which, _id: { $in: ids } }, lease);
    return deliveries.find({ _id: { $in: ids }, taker }).toArray();
  };

  return {
    take: (lane: string, now: Date, atMost: number = most.deliveries): Promise<DeliveryDocument[]> =>
      takeOf({ lane, due: { $lte: now }, ...innocent }, now, Math.min(atMost, most.deliveries)),

    /** Suspects of one lane: one alone, or some whose process has ended once. */
    async takeSuspects(now: Date): Promise<DeliveryDocument[]> {
      const first = await deliveries.findOne(
        { taken: { $gte: 1 }, due: { $lte: now } },
        { sort: { due: 1 }, projection: { lane: 1, taken: 1 } },
      );
      if (!first) return [];
      const { _id, lane, taken = 1 } = first;
      const which = { taken, due: { $lte: now } };
      return taken === 1 ? takeOf({ ...which, lane }, now, mostSuspects) : takeOf({ ...which, _id }, now, 1);
    },

    /** Their turn has come to an end. They are due again at this time, for whoever comes first; without a time, when the lease is over. */
    async giveBack(all: readonly DeliveryDocument[], due?: Date): Promise<void> {
      const taker = all[0]?.taker;
      if (taker === undefined) return;
      const _id = { $in: all.map((delivery) => delivery._id) };
      await deliveries.updateMany({ _id, taken: { $gte: 1 } }, { $inc: { taken: -1 } });
      if (due)
        await deliveries.bulkWrite(
          all.map((one) => ({
            updateOne: {
              filter: { _id: one._id, taker },
              update: { $set: { due, ...(one.fence !== undefined && { fence: one.fence }) } },
            },
          })),
        );
    },

    /** Suspects whose turn ended well: their process is still there. */
    async acquit(all: readonly DeliveryDocument[]): Promise<void> {
      const taker = all[0]?.taker;
      if (taker === undefined) return;
      await deliveries.bulkWrite(
        all.map((one) => ({
          updateOne: { filter: { _id: one._id, taker }, update: { $set: afterGoodTurn(one) } },
        })),
      );
      const theirs = { _id: { $in: all.map(({ _id }) => _id) }, taker };
      await deliveries.updateMany({ ...theirs, due: { $exists: true } }, { $set: { due: new Date() } });
    },

    /** Its schedule is `failed` and says why, and who waits is skipped. */
    giveUp: ({ _id, schedule, channel }: DeliveryDocument, why: string): Promise<void> =>
      transact(async (session) => {
        await haltDeliveries(messages, session, { which: { _id }, halted: 'failed', now: new Date() });
        await schedules.updateOne(
          { _id: schedule, state: 'sending' },
          { $set: { state: 'failed', reason: `${channel}: ${why}` } },
          { session },
        );
      }),
  };
};
