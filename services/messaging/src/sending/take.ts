/** Takes the deliveries of a lane that have something to do. Nobody else goes on with them for a while. */
import { randomUUID } from 'node:crypto';
import type { DeliveryDocument, Store } from '@roster/store';

const most = { deliveries: 200, bytes: 4 * 1024 * 1024 };

type Deliveries = Store['messages']['deliveries'];

const dueIn = async (deliveries: Deliveries, lane: string, now: Date, atMost: number): Promise<string[]> => {
  const found = deliveries.find<{ _id: string; bytes: number }>(
    { lane, due: { $lte: now } },
    { sort: { due: 1 }, limit: atMost, projection: { bytes: { $bsonSize: '$$ROOT' } } },
  );
  const ids: string[] = [];
  let bytes = 0;
  for await (const { _id, bytes: size } of found) {
    if (ids.length > 0 && bytes + size > most.bytes) break;
    ids.push(_id);
    bytes += size;
  }
  return ids;
};

/** For `leaseMs`: a process that takes longer to read a page is overtaken by another one. */
export const createTake =
  ({ messages: { deliveries } }: Pick<Store, 'messages'>, leaseMs: number) =>
  async (lane: string, now: Date, atMost: number = most.deliveries): Promise<DeliveryDocument[]> => {
    const ids = await dueIn(deliveries, lane, now, Math.min(atMost, most.deliveries));
    if (ids.length === 0) return [];
    const taker = randomUUID();
    const lease = { $set: { taker, due: new Date(now.getTime() + leaseMs) } };
    await deliveries.updateMany({ _id: { $in: ids }, due: { $lte: now } }, lease);
    return deliveries.find({ _id: { $in: ids }, taker }).toArray();
  };

/** They are due again at this time, for whoever comes first. */
export const createGiveBack =
  ({ messages: { deliveries } }: Pick<Store, 'messages'>) =>
  async (all: readonly DeliveryDocument[], due: Date): Promise<void> => {
    for (const { _id, taker } of all)
      if (taker !== undefined) await deliveries.updateOne({ _id, taker }, { $set: { due } });
  };
