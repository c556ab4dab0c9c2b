/** One turn of a lane: its next recipients are written down, sent to, and their results written. */
import { AudienceFault } from '@roster/audience';
import { createLines } from '@roster/batch';
import { withinTime } from '@roster/contract';
import { type DeliveryDocument, TransactionTooLong } from '@roster/store';
import { behindFence, type Fence } from './fence.ts';
import { createHeldTexts, type Held, type HeldTexts } from './held-texts.ts';
import { createLeaving } from './leaving.ts';
import { usualLostAfterMs } from './next.ts';
import { createReadPeople } from './people.ts';
import { createPrepare, type PrepareOptions } from './prepare.ts';
import { createRooms } from './rooms.ts';
import { createSendAll } from './send-all.ts';
import type { Hand, Sent } from './send-one.ts';
import { createTaking } from './take.ts';
import { createWriteBegin, Overtaken } from './write-begin.ts';

/**
 * `fence`: what was accepted before is not applied. `redis`: that could not be asked. `late`: not all people left while what was read of them held.
 * `slow`: MongoDB could not write them down in time, and fewer come next.
 */
type GivenBack = 'fence' | 'redis' | 'overtaken' | 'error' | 'late' | 'slow';

export interface TurnOptions extends Omit<PrepareOptions, 'readPeople'> {
  texts?: HeldTexts;
  hand: Hand;
  fence: Fence;
  on: {
    givenBack(reason: GivenBack): unknown;
    sent(sent: Sent): void;
    error(error: unknown, deliveries: readonly string[]): void;
  };
}

export interface Begun {
  /** There was nothing to do. */
  isIdle: boolean;
  /** When the last message has left: from then on the turn only waits for answers. */
  left: Promise<void>;
  /** When all results are written. */
  ended: Promise<void>;
}

/** A delivery that waits for the fence is looked at again so soon. */
const notFreshMs = 500;

/** `demo/webhook`; a workspace has no slash in its name. */
export const workspaceOf = (lane: string): string => lane.slice(0, lane.indexOf('/'));

const idsOf = (taken: readonly DeliveryDocument[]): string[] => taken.map(({ _id }) => _id);

export const idle: Begun = { isIdle: true, left: Promise.resolve(), ended: Promise.resolve() };

/** Nothing leaves after that time. */
const endOrTime = (ended: Promise<void>, until: number): Promise<void> =>
  withinTime(until - performance.now(), ended, () => {});

/** No fault of a delivery. */
const passingIn = (error: unknown): GivenBack | undefined => {
  if (error instanceof Overtaken) return 'overtaken';
  return error instanceof TransactionTooLong ? 'slow' : undefined;
};

/** What can't go on is given back; what never will is given up. */
const createFailed =
  ({ on }: Pick<TurnOptions, 'on'>, { giveBack, giveUp }: ReturnType<typeof createTaking>) =>
  async (error: unknown, taken: readonly DeliveryDocument[]): Promise<Begun> => {
    const [first] = taken;
    const passing = passingIn(error);
    if (passing) {
      on.givenBack(passing);
      await giveBack(taken, new Date());
      return idle;
    }
    on.error(error, idsOf(taken));
    // It was taken by other rules. After an error each is tried by itself, so this is the one.
    if (error instanceof AudienceFault && first && taken.length === 1) {
      await giveUp(first, `its audience can't be read: ${error.message}`);
      return idle;
    }
    on.givenBack('error');
    // Suspects that were tried together are tried alone the next time.
    await giveBack(taken.filter((one) => one.taken !== 2));
    throw error;
  };

export const createTurn = (options: TurnOptions) => {
  const { store, hand, fence, on, lostAfterMs = usualLostAfterMs, texts = createHeldTexts() } = options;
  const taking = createTaking(store, lostAfterMs / 2);
  const { take, giveBack } = taking;
  const failed = createFailed(options, taking);
  const rooms = createRooms();
  const readPeople = createReadPeople(store);
  const prepare = createPrepare({ ...options, readPeople });
  const leavingOf = createLeaving(readPeople);
  const writeBegin = createWriteBegin(store);
  // Transactions of one lane write one document: side by side they would only meet in MongoDB.
  const oneByOne = createLines();
  const sendAll = createSendAll(
    { store, hand, onSent: on.sent, onLate: () => on.givenBack('late') },
    oneByOne,
    rooms,
  );

  const begin = async (taken: readonly DeliveryDocument[], lane: string, held: Held): Promise<Begun> => {
    const { passed, waiting, why } = await behindFence(taken, workspaceOf(lane), fence);
    if (waiting.length > 0) on.givenBack(why);
    await giveBack(waiting, new Date(Date.now() + notFreshMs));
    if (passed.length === 0) return idle;
    const now = new Date();
    const prepared = await prepare(passed, rooms.roomOf(lane), now, held);
    held.settle();
    const preparedMs = Date.now() - now.getTime();
    const count = prepared.all.flatMap(({ fresh, again }) => [...fresh, ...again]).length;
    const sending = await oneByOne(lane, () => writeBegin(prepared.all, now)).catch((error: unknown) => {
      if (error instanceof TransactionTooLong) rooms.shrink(lane, Math.floor(count / 2), count);
      throw error;
    });
    const writingMs = prepared.all.reduce((sum, one) => sum + one.writingMs, 0);
    rooms.learn(lane, { writingMs, preparedMs });
    // What was read of the others was in vain.
    if (!held.hasRoom()) rooms.shrink(lane, count, count);
    const leaving = leavingOf(prepared, sending);
    const ended = leaving
      .then((all) => sendAll(lane, all))
      .catch((error: unknown) => on.error(error, idsOf(taken)));
    // Where it fails, `ended` tells.
    const left = leaving.then(({ until }) => endOrTime(ended, until)).catch(() => {});
    return { isIdle: false, left, ended };
  };

  const turnOf = async (taken: readonly DeliveryDocument[]): Promise<Begun> => {
    const [first] = taken;
    if (!first) return idle;
    const { lane } = first;
    const held = texts.turn(workspaceOf(lane));
    try {
      const begun = await begin(taken, lane, held);
      void begun.ended.finally(held.close);
      return begun;
    } catch (error) {
      held.close();
      return failed(error, taken);
    }
  };

  return {
    /** Resolves as soon as the next turn of the lane may begin. At most so many deliveries at once. */
    turn: async (lane: string, atMost?: number): Promise<Begun> =>
      turnOf(await take(lane, new Date(), atMost ?? rooms.roomOf(lane))),
    /** The same with deliveries that have been taken. */
    turnOf,
  };
};

export type Turns = ReturnType<typeof createTurn>;
