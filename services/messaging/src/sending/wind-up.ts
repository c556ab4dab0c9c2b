/** Brings deliveries to their end that were halted: who waits is skipped, page by page, and who is being sent to gets a result. */
import { randomUUID } from 'node:crypto';
import type { DeliveryDocument, Halted, Store } from '@roster/store';
import { recipientsOf } from '../schedules/stored.ts';
import { judgedRow, lostRow } from './rows.ts';
import { createUnreached } from './unreached.ts';
import { type Begun, createWriteBegin, Overtaken } from './write-begin.ts';

const rowsAtOnce = 500;

/** What is being sent ends soon. */
const lookAgainMs = 1000;

interface WindUpOptions {
  store: Store;
  lostAfterMs: number;
}

export const createWindUp = ({ store, lostAfterMs }: WindUpOptions) => {
  const { deliveries, sends } = store.messages;
  const writeBegin = createWriteBegin(store);
  const unreached = createUnreached(store);

  const takeNext = (now: Date) =>
    deliveries.findOneAndUpdate(
      { halted: { $exists: true }, due: { $lte: now } },
      { $set: { taker: randomUUID(), due: new Date(now.getTime() + lookAgainMs) } },
      { sort: { due: 1 }, returnDocument: 'after' },
    );

  const begunOf = async (delivery: DeliveryDocument, halted: Halted, now: Date): Promise<Begun> => {
    const { _id } = delivery;
    const lost = {
      delivery: _id,
      state: 'sending',
      at: { $lt: new Date(now.getTime() - lostAfterMs) },
    } as const;
    const [waiting, gone] = await Promise.all([
      sends.find({ delivery: _id, due: { $exists: true } }, { limit: rowsAtOnce }).toArray(),
      sends.find(lost, { limit: rowsAtOnce }).toArray(),
    ]);
    const isFull = waiting.length === rowsAtOnce || gone.length === rowsAtOnce;
    const names = await unreached({ delivery, recipients: recipientsOf(delivery) }, [], now);
    return {
      delivery,
      ...names,
      again: [
        ...waiting.map((row) => ({ before: row, row: judgedRow(row, { skipped: halted }, now) })),
        ...gone.map((row) => ({ before: row, row: lostRow(row, false, now) })),
      ],
      read: true,
      caps: [],
      due: new Date(now.getTime() + (isFull ? 0 : lookAgainMs)),
    };
  };

  /** One page of one of them; says whether there was any. */
  return async (): Promise<boolean> => {
    const now = new Date();
    const delivery = await takeNext(now);
    if (!delivery?.halted) return false;
    try {
      await writeBegin([await begunOf(delivery, delivery.halted, now)], now);
    } catch (error) {
      // A result came at the same moment: the next look sees it.
      if (!(error instanceof Overtaken)) throw error;
    }
    return true;
  };
};
