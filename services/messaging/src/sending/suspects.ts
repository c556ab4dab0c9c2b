/**
 * The rule that finds deliveries that end their process. A process may be ended from outside at any time, so a delivery whose turn came to no
 * end is only a suspect: it is tried with nothing beside it. `taken` counts its turns that came to no end.
 *
 * | taken | its next turn |
 * |---|---|
 * | 0 | with others, as always |
 * | 1 | with up to 32 suspects of its lane, and with nothing else beside them |
 * | 2 to 4 | alone |
 * | 5 | none: it fails |
 *
 * A turn that ends well clears it after the first end of a process. After each further one it stays at 1 for twice as many good turns (`afterGoodTurn`),
 * and after twelve in all it fails: a receiver that ended processes only now and then would else do so for ever.
 */
import type { DeliveryDocument, Store } from '@roster/store';
import { afterGoodTurn, createTaking } from './take.ts';
import { type Begun, idle } from './turn.ts';

/** Three ends of a process in which nothing else was sent. */
const convictedAt = 5;

/** In all, whatever came between. */
const mostEnds = 12;

const whyInAll = `${mostEnds} processes have ended that sent it`;

const why = 'each time it was tried alone, the process that sent it ended';

interface SuspectsOptions {
  store: Pick<Store, 'messages' | 'transact'>;
  /** How long nobody else takes them. */
  leaseMs: number;
  /** A turn of these deliveries. */
  turn(taken: readonly DeliveryDocument[]): Promise<Begun>;
  onConvicted(id: string): void;
}

export const createSuspects = ({ store, leaseMs, turn, onConvicted }: SuspectsOptions) => {
  const { deliveries } = store.messages;
  const { takeSuspects, acquit, giveUp } = createTaking(store, leaseMs);

  const convict = async (one: DeliveryDocument, reason: string): Promise<void> => {
    await giveUp(one, reason);
    onConvicted(one._id);
  };

  const isUnderWay = async ({ _id }: DeliveryDocument): Promise<boolean> =>
    (await deliveries.findOne({ _id, ended: { $exists: false } }, { projection: { _id: 1 } })) !== null;

  const judge = async (taken: readonly DeliveryDocument[]): Promise<void> => {
    await acquit(taken);
    for (const one of taken)
      if (afterGoodTurn(one).ends >= mostEnds && (await isUnderWay(one))) await convict(one, whyInAll);
  };

  return {
    async areDue(): Promise<boolean> {
      const due = { taken: { $gte: 1 }, due: { $lte: new Date() } };
      return (await deliveries.findOne(due, { projection: { _id: 1 } })) !== null;
    },
    /** Tries some of them, until their messages have left; they have ended when their answers are there. Nothing else may be under way. */
    async tryNext(): Promise<Pick<Begun, 'ended'>> {
      const taken = await takeSuspects(new Date());
      const [first] = taken;
      if (!first) return idle;
      // This turn is counted, too.
      if ((first.taken ?? 1) > convictedAt) {
        await convict(first, why);
        return idle;
      }
      // What can't go on has been told and given back.
      const begun = await turn(taken).catch(() => undefined);
      if (!begun || begun.isIdle) return idle;
      await begun.left;
      return { ended: begun.ended.then(() => judge(taken)) };
    },
  };
};
