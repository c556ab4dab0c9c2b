/**
 * Erases deleted people in two rounds: at once, and again when no transaction from before the deletion can be open and no request from
 * before it can become a dead letter. The work to do stands in MongoDB, in `sweeps`.
 */
import { startLooking } from '@roster/batch';
import type { Fence } from '@roster/queue';
import type { Store, SweepDocument } from '@roster/store';
import type { EraseLetters } from './erase-letters.ts';
import { createErasePeople, type ErasePeople, Stopped } from './erase-people.ts';

export interface SweeperOptions {
  store: Store;
  /** Over every queue whose requests may write about people. */
  fence: Fence;
  eraseLetters: EraseLetters;
  /** How long a transaction may be open. */
  lifetimeMs: number;
  pollMs?: number;
  onError?(error: unknown): void;
}

const mostAtOnce = 100;
/** When a process dies, another one takes its sweeps after this time. When it is only slow, two processes do the same work, which does no harm. */
const leaseMs = 15_000;
const marginMs = 5_000;

const inMs = (ms: number): Date => new Date(Date.now() + ms);

type Round = SweepDocument['round'];

interface Rounds extends Omit<SweeperOptions, 'eraseLetters' | 'pollMs'> {
  pollMs: number;
  erase: ErasePeople;
}

const ofRound = (sweeps: readonly SweepDocument[], round: Round): SweepDocument[] =>
  sweeps.filter((sweep) => sweep.round === round);

/** The two rounds over the sweeps that a process has taken. */
const createRounds = ({ store: { sweeps }, fence, lifetimeMs, pollMs, erase }: Rounds) => {
  const postpone = async (some: readonly SweepDocument[], ms: number, round: Round): Promise<void> => {
    if (some.length === 0) return;
    const ids = some.map(({ _id }) => _id);
    await sweeps.updateMany({ _id: { $in: ids } }, { $set: { due: inMs(ms), round } });
  };

  const first = async (some: readonly SweepDocument[]): Promise<void> => {
    if (some.length === 0) return;
    await erase(some);
    await postpone(some, lifetimeMs + marginMs, 2);
  };

  const second = async (some: readonly SweepDocument[]): Promise<void> => {
    if (some.length === 0) return;
    const latest = some.reduce((last, { at }) => Math.max(last, at), 0);
    if (!(await fence.isPast(latest))) return postpone(some, pollMs, 2);
    await erase(some);
    await sweeps.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
  };

  return async (taken: readonly SweepDocument[]): Promise<void> => {
    const [fresh, swept] = [ofRound(taken, 1), ofRound(taken, 2)];
    try {
      await first(fresh);
      await second(swept);
    } catch (error) {
      await Promise.allSettled([postpone(fresh, pollMs, 1), postpone(swept, pollMs, 2)]);
      throw error;
    }
  };
};

/** Takes the sweeps that are due, each under a lease. */
const take = async ({ sweeps }: Store): Promise<SweepDocument[]> => {
  const taken: SweepDocument[] = [];
  while (taken.length < mostAtOnce) {
    const lease = { $set: { due: inMs(leaseMs) } };
    const one = await sweeps.findOneAndUpdate({ due: { $lte: new Date() } }, lease, { sort: { due: 1 } });
    if (!one) break;
    taken.push(one);
  }
  return taken;
};

export const createSweeper = ({ pollMs = 1000, ...options }: SweeperOptions) => {
  const { store, eraseLetters, onError } = options;
  let stopping = false;
  const erase = createErasePeople({ store, eraseLetters, stopping: () => stopping });
  const sweep = createRounds({ ...options, pollMs, erase });

  const once = async (): Promise<void> => {
    for (let taken = await take(store); taken.length > 0 && !stopping; taken = await take(store))
      await sweep(taken);
  };

  const { wake, stop } = startLooking({
    look: once,
    onError(error) {
      if (!(error instanceof Stopped)) onError?.(error);
    },
    everyMs: pollMs,
  });

  return {
    /** There is work to do. */
    nudge: wake,
    /** Does all work that is due now: for tests. */
    once,
    async stop(): Promise<void> {
      stopping = true;
      await stop();
    },
  };
};

export type Sweeper = ReturnType<typeof createSweeper>;
