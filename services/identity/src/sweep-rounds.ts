/** The two rounds of the sweep of a deleted person. */
import type { Fence } from '@roster/queue';
import type { Store, SweepDocument } from '@roster/store';
import type { EraseLetters } from './erase-letters.ts';
import type { ErasePeople } from './erase-people.ts';

export interface SweeperOptions {
  store: Store;
  /** Over every queue with requests that write about people. */
  fence: Fence;
  eraseLetters: EraseLetters;
  /** How long a transaction may be open. */
  lifetimeMs: number;
  pollMs?: number;
  onError?(error: unknown): void;
}

const marginMs = 5_000;

export const inMs = (ms: number): Date => new Date(Date.now() + ms);

type Round = SweepDocument['round'];

interface Rounds extends Omit<SweeperOptions, 'eraseLetters' | 'pollMs'> {
  pollMs: number;
  erase: ErasePeople;
}

const ofRound = (sweeps: readonly SweepDocument[], round: Round): SweepDocument[] =>
  sweeps.filter((sweep) => sweep.round === round);

/** The two rounds over the sweeps that a process has taken. */
export const createRounds = ({ store: { sweeps }, fence, lifetimeMs, pollMs, erase }: Rounds) => {
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
