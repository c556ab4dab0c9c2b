/** Gives a delivery up: its schedule is `failed` and says why, and who waits is skipped. */
import { type DeliveryDocument, haltDeliveries, type Store } from '@roster/store';

export const createFail =
  ({ messages, transact }: Pick<Store, 'messages' | 'transact'>) =>
  ({ _id, schedule, channel }: DeliveryDocument, why: string): Promise<void> =>
    transact(async (session) => {
      await haltDeliveries(messages, session, { which: { _id }, halted: 'failed', now: new Date() });
      await messages.schedules.updateOne(
        { _id: schedule, state: 'sending' },
        { $set: { state: 'failed', reason: `${channel}: ${why}` } },
        { session },
      );
    });
