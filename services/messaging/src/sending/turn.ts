/** One turn of a lane: its next recipients are written down, sent to, and their results written. */
import type { Templates } from '@roster/liquid';
import type { DeliveryDocument, Store } from '@roster/store';
import type { PageUrls } from '../links/page-urls.ts';
import { createForget } from './forget.ts';
import { inParallel } from './in-parallel.ts';
import { usualLostAfterMs } from './next.ts';
import { createOneByOne } from './one-by-one.ts';
import { createPrepare, type Prepared } from './prepare.ts';
import { createResults } from './results.ts';
import { type Hand, notSent, type Sent, sendOne } from './send-one.ts';
import type { SettingsOfSender } from './settings.ts';
import { createGiveBack, createTake } from './take.ts';
import { createWriteBegin, Overtaken } from './write-begin.ts';
import type { Result } from './write-results.ts';

export interface TurnOptions {
  store: Store;
  lostAfterMs?: number;
  settingsOf: SettingsOfSender;
  liquidOf(ws: string): Templates;
  urls: Pick<PageUrls, 'page'>;
  hand: Hand;
  /** Waits up to a second until everything that the workspace sent before now is applied. */
  fresh(ws: string): Promise<boolean>;
  on: {
    sent(sent: Sent): void;
    error(error: unknown, deliveries: readonly string[]): void;
  };
}

export interface Begun {
  /** There was nothing to do. */
  isIdle: boolean;
  /** When all results are written. */
  ended: Promise<void>;
}

/** To so many at once. */
const atOnce = 100;

/** Profiles that lose tokens. */
const forgottenAtOnce = 10;

/** Recipients of one turn. Where each takes long, as with a costly template, there are fewer the next time: a turn has to end before its lease. */
const rooms = { first: 100, most: 500, aimMs: 500 };

const mostLanesKept = 10_000;

const createRooms = () => {
  const kept = new Map<string, number>();
  const roomOf = (lane: string): number => kept.get(lane) ?? rooms.first;
  return {
    roomOf,
    learn(lane: string, ms: number): void {
      const factor = Math.min(2, rooms.aimMs / Math.max(1, ms));
      if (kept.size >= mostLanesKept) kept.clear();
      kept.set(lane, Math.max(1, Math.min(rooms.most, Math.ceil(roomOf(lane) * factor))));
    },
  };
};

/** Until what was accepted before is applied, nobody is sent anything: an unsubscription may be among it. */
const notFreshMs = 500;

const idle: Begun = { isIdle: true, ended: Promise.resolve() };

interface TurnOfOptions extends Pick<TurnOptions, 'on'> {
  begin(taken: readonly DeliveryDocument[], first: DeliveryDocument): Promise<Begun>;
  giveBack: ReturnType<typeof createGiveBack>;
}

/** What can't go on is given back. */
const createTurnOf =
  ({ begin, giveBack, on }: TurnOfOptions) =>
  async (taken: readonly DeliveryDocument[]): Promise<Begun> => {
    const [first] = taken;
    if (!first) return idle;
    try {
      return await begin(taken, first);
    } catch (error) {
      if (error instanceof Overtaken) {
        await giveBack(taken, new Date());
        return idle;
      }
      on.error(
        error,
        taken.map(({ _id }) => _id),
      );
      // Suspects that were tried together are tried alone the next time.
      await giveBack(taken.filter((one) => one.taken !== 2));
      throw error;
    }
  };

export const createTurn = (options: TurnOptions) => {
  const { store, hand, fresh, on, lostAfterMs = usualLostAfterMs } = options;
  const [take, giveBack] = [createTake(store, lostAfterMs / 2), createGiveBack(store)];
  const { roomOf, learn } = createRooms();
  const prepare = createPrepare(options);
  const writeBegin = createWriteBegin(store);
  const forget = createForget(store);
  const oneByOne = createOneByOne();
  const openResults = createResults(store, oneByOne);

  /** Each send ends within 20 s: by then nothing of this turn counts as lost yet. */
  const beginsWithinMs = lostAfterMs / 2;

  const send = async (lane: string, prepared: readonly Prepared[], began: number): Promise<void> => {
    const results = openResults(lane);
    const dead: Sent[] = [];
    const all = prepared.flatMap(({ delivery, outgoing }) => outgoing.map((one) => ({ one, delivery })));
    await inParallel(all, atOnce, async ({ one, delivery }) => {
      const isLate = Date.now() - began > beginsWithinMs;
      const sent = isLate ? notSent(one) : await sendOne(one, hand);
      on.sent(sent);
      if (sent.gone) dead.push(sent);
      results.add({ ...sent, delivery } satisfies Result);
    });
    await results.end();
    await inParallel(dead, forgottenAtOnce, forget);
  };

  const begin = async (
    taken: readonly DeliveryDocument[],
    { ws, lane }: DeliveryDocument,
  ): Promise<Begun> => {
    if (!(await fresh(ws))) {
      await giveBack(taken, new Date(Date.now() + notFreshMs));
      return idle;
    }
    const now = new Date();
    const prepared = await prepare(taken, roomOf(lane), now);
    learn(lane, Date.now() - now.getTime());
    await oneByOne(lane, () => writeBegin(prepared, now));
    const ended = send(lane, prepared, now.getTime()).catch((error) =>
      on.error(
        error,
        taken.map(({ _id }) => _id),
      ),
    );
    return { isIdle: false, ended };
  };

  const turnOf = createTurnOf({ begin, giveBack, on });

  return {
    /** Resolves as soon as the next turn of the lane may begin. At most so many deliveries at once. */
    turn: async (lane: string, atMost?: number): Promise<Begun> =>
      turnOf(await take(lane, new Date(), atMost ?? roomOf(lane))),
    /** The same with deliveries that have been taken. */
    turnOf,
  };
};

export type Turns = ReturnType<typeof createTurn>;
