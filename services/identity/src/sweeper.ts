/**
 * Removes what is left of people whom nobody can see any more: at once, and a second time when no transaction that began before can
 * be under way and no request from before can become a dead letter. Each step can be repeated; what has to be done stands in MongoDB.
 */
import type { Fence } from '@roster/queue';
import type { Collection, EventDocument, PurchaseDocument, Store, SweepDocument } from '@roster/store';
import type { EraseLetters } from './erase-letters.ts';
import { lockKeysIn } from './write.ts';

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

export interface Sweeper {
  /** There is something to do. */
  nudge(): void;
  /** All that is due now: for tests. */
  once(): Promise<void>;
  stop(): Promise<void>;
}

const mostAtOnce = 100;
const rowsAtOnce = 1000;
const idsAtOnce = 500;
/** Of one who died, the next takes over after so long. Of one who is only slow, too: doing it twice does no harm. */
const leaseMs = 15_000;
const marginMs = 5_000;

const inMs = (ms: number): Date => new Date(Date.now() + ms);

const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, n) => values.slice(n * size, (n + 1) * size));

class Stopped extends Error {}

export const createSweeper = (options: SweeperOptions): Sweeper => {
  const { store, fence, eraseLetters, lifetimeMs, pollMs = 1000, onError } = options;
  const { sweeps, events, purchases, totals, identities, profiles, transact } = store;
  let stopping = false;

  const removeRows = async (
    rows: Collection<EventDocument> | Collection<PurchaseDocument>,
    ids: readonly string[],
  ): Promise<void> => {
    const some = rows as Collection<EventDocument>;
    for (;;) {
      if (stopping) throw new Stopped();
      const found = await some
        .find({ profile: { $in: [...ids] } }, { projection: { _id: 1 }, limit: rowsAtOnce })
        .toArray();
      if (found.length === 0) return;
      await some.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    }
  };

  const isShared = async (ws: string, key: string): Promise<boolean> => {
    const kind = key.slice(ws.length + 1, ws.length + 2);
    const value = key.slice(ws.length + 3);
    const field = { m: 'email_key', p: 'phone_key', t: 'token_keys' }[kind];
    return (
      field !== undefined &&
      (await profiles.findOne({ ws, [field]: value }, { projection: { _id: 1 } })) !== null
    );
  };

  /** What a transaction in flight may have said of a contact that nobody has; what was said later stays. */
  const removeLocks = async ({ ws, keys, at, accepted = at }: SweepDocument): Promise<void> => {
    for (const key of lockKeysIn(keys)) {
      if (await isShared(ws, key)) continue;
      await identities.deleteMany({ _id: key, at: { $lte: at } });
      await transact((session) => store.contactConsents.eraseUpTo(session, ws, key, accepted));
    }
  };

  /** Nobody can read any more that it was theirs; what was said of it waits for the next one who has it. */
  const hideFormer = async ({ ws, former = [] }: SweepDocument): Promise<void> => {
    for (const key of former)
      if (!(await isShared(ws, key)))
        await transact((session) => store.contactConsents.hide(session, ws, key));
  };

  const remove = async (all: readonly SweepDocument[]): Promise<void> => {
    for (const ids of chunks(
      all.flatMap((one) => one.profiles),
      idsAtOnce,
    )) {
      await removeRows(events, ids);
      await removeRows(purchases, ids);
      // After the rows: a step of retention that was under way with them has ended by then.
      await totals.remove(ids);
      await identities.deleteMany({ profile: { $in: ids } });
    }
    for (const one of all) await removeLocks(one);
    for (const one of all) await hideFormer(one);
    await eraseLetters(all);
  };

  const postpone = async (all: readonly SweepDocument[], due: Date, round: 1 | 2): Promise<void> => {
    if (all.length === 0) return;
    await sweeps.updateMany({ _id: { $in: all.map(({ _id }) => _id) } }, { $set: { due, round } });
  };

  const firstRound = async (all: readonly SweepDocument[]): Promise<void> => {
    if (all.length === 0) return;
    await remove(all);
    await postpone(all, inMs(lifetimeMs + marginMs), 2);
  };

  const secondRound = async (all: readonly SweepDocument[]): Promise<void> => {
    if (all.length === 0) return;
    const latest = all.reduce((last, { at }) => Math.max(last, at), 0);
    if (!(await fence.isPast(latest))) return postpone(all, inMs(pollMs), 2);
    await remove(all);
    await sweeps.deleteMany({ _id: { $in: all.map(({ _id }) => _id) } });
  };

  /** Whoever takes one up has it for a while; if they die, the next one comes. */
  const takeUp = async (): Promise<SweepDocument[]> => {
    const taken: SweepDocument[] = [];
    while (taken.length < mostAtOnce) {
      const lease = { $set: { due: inMs(leaseMs) } };
      const one = await sweeps.findOneAndUpdate({ due: { $lte: new Date() } }, lease, { sort: { due: 1 } });
      if (!one) break;
      taken.push(one);
    }
    return taken;
  };

  const once = async (): Promise<void> => {
    for (let taken = await takeUp(); taken.length > 0 && !stopping; taken = await takeUp()) {
      try {
        await firstRound(taken.filter(({ round }) => round === 1));
        await secondRound(taken.filter(({ round }) => round === 2));
      } catch (error) {
        const [first, second] = [
          taken.filter(({ round }) => round === 1),
          taken.filter(({ round }) => round === 2),
        ];
        await Promise.allSettled([postpone(first, inMs(pollMs), 1), postpone(second, inMs(pollMs), 2)]);
        throw error;
      }
    }
  };

  let wake = (): void => {};
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const work = async (): Promise<void> => {
    while (!stopping) {
      try {
        await once();
      } catch (error) {
        if (!(error instanceof Stopped)) onError?.(error);
      }
      if (!stopping) await pause();
    }
  };
  const working = work();

  return {
    nudge: () => wake(),
    once,
    async stop() {
      stopping = true;
      wake();
      await working;
    },
  };
};
