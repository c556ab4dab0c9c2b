/** Removes the messages of deleted people. Deliveries under way count these recipients as ended. */
import type { Transact } from '../connection/transact.ts';
import type { SendDocument } from '../models/messages.ts';
import type { CollectionsOf } from '../models/models.ts';

const rowsAtOnce = 500;

type SendRow = Pick<SendDocument, '_id' | 'delivery' | 'state'>;

/** A waiting recipient is not sent to any more. A recipient who is being sent to ends as unknown. */
const becomes = { waiting: 'skipped', sending: 'unknown' } as const;

const isOpen = (row: SendRow): row is SendRow & { state: keyof typeof becomes } => row.state in becomes;

export const createSendRemoval =
  ({ sends, deliveries }: CollectionsOf<'sends' | 'deliveries'>, transact: Transact) =>
  async (profiles: readonly string[], mayGoOn: () => void): Promise<void> => {
    const theirs = { profile: { $in: [...profiles] } };
    const how = { projection: { delivery: 1, state: 1 }, limit: rowsAtOnce } as const;
    for (;;) {
      mayGoOn();
      const removed = await transact(async (session) => {
        const rows = await sends.find<SendRow>(theirs, { ...how, session }).toArray();
        if (rows.length === 0) return 0;
        await sends.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } }, { session });
        const open = rows.filter(isOpen);
        if (open.length > 0)
          await deliveries.bulkWrite(
            open.map(({ delivery, state }) => ({
              updateOne: {
                filter: { _id: delivery },
                update: { $inc: { [`counts.${state}`]: -1, [`counts.${becomes[state]}`]: 1 } },
              },
            })),
            { session },
          );
        return rows.length;
      });
      if (removed < rowsAtOnce) return;
    }
  };
