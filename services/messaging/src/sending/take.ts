/** Takes deliveries that have something to do. Nobody else goes on with them for a while. */
import { randomUUID } from 'node:crypto';
import type { DeliveryDocument, Store } from '@roster/store';

const most = { deliveries: 200, bytes: 4 * 1024 * 1024 };

/** Of suspects in one lane whose process has ended once, so many are tried together. */
const mostSuspects = 32;

type Deliveries = Store['messages']['deliveries'];
type Filter = Parameters<Deliveries['find']>[0];

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

/** For `leaseMs`: a process that takes longer to read a page is overtaken by another one. Each turn is counted until it comes to an end. */
const createTakeOf =
  (deliveries: Deliveries, leaseMs: number) =>
  async (which: Filter, now: Date, atMost: number): Promise<DeliveryDocument[]> => {
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

const innocent = { taken: { $not: { $gte: 1 } }, halted: { $exists: false } };

export const createTake = ({ messages: { deliveries } }: Pick<Store, 'messages'>, leaseMs: number) => {
  const takeOf = createTakeOf(deliveries, leaseMs);
  return (lane: string, now: Date, atMost: number = most.deliveries): Promise<DeliveryDocument[]> =>
    takeOf({ lane, due: { $lte: now }, ...innocent }, now, Math.min(atMost, most.deliveries));
};

/** Suspects of one lane: one alone, or some whose process has ended once. */
export const createTakeSuspects = ({ messages }: Pick<Store, 'messages'>, leaseMs: number) => {
  const { deliveries } = messages;
  const takeOf = createTakeOf(deliveries, leaseMs);
  return async (now: Date): Promise<DeliveryDocument[]> => {
    const first = await deliveries.findOne(
      { taken: { $gte: 1 }, due: { $lte: now } },
      { sort: { due: 1 }, projection: { lane: 1, taken: 1 } },
    );
    if (!first) return [];
    const { _id, lane, taken = 1 } = first;
    const which = { taken, due: { $lte: now } };
    return taken === 1 ? takeOf({ ...which, lane }, now, mostSuspects) : takeOf({ ...which, _id }, now, 1);
  };
};

/** Their turn has come to an end. They are due again at this time, for whoever comes first; without a time, when the lease is over. */
export const createGiveBack =
  ({ messages: { deliveries } }: Pick<Store, 'messages'>) =>
  async (all: readonly DeliveryDocument[], due?: Date): Promise<void> => {
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
  };

/** Suspects whose turn ended well: their process is still there. */
export const createAcquit =
  ({ messages: { deliveries } }: Pick<Store, 'messages'>) =>
  async (all: readonly DeliveryDocument[]): Promise<void> => {
    const taker = all[0]?.taker;
    if (taker === undefined) return;
    const theirs = { _id: { $in: all.map(({ _id }) => _id) }, taker };
    await deliveries.updateMany(theirs, { $set: { taken: 0 } });
    await deliveries.updateMany({ ...theirs, due: { $exists: true } }, { $set: { due: new Date() } });
  };
