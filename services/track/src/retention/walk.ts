/** Walks the old rows of one kind, step by step. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind, Store } from '@roster/store';
import type { OldRows, Range, SeenRow } from './old-rows.ts';
import { summed } from './summed.ts';
import type { Edges } from './windows.ts';

export interface RetentionOptions {
  store: Pick<Store, 'events' | 'purchases' | 'totals' | 'workspaces' | 'transact'>;
  /** The rest after this much work: other users of MongoDB and of this process come first. */
  restMs?(workedMs: number): number;
  onRolledUp?(kind: Kind, rows: number): void;
  rowsInStep?: number;
}

/** The position of a run: an interrupted run continues from it. */
export interface Place {
  kind: Kind;
  generation: string;
  /** A key, in hexadecimal digits. */
  after: string;
}

export interface RetentionRun {
  /** The current time. */
  now: number;
  /** Only this workspace. */
  ws?: string | undefined;
  from?: Place | undefined;
  signal?: AbortSignal;
  onPlace?(place: Place): Promise<void>;
}

/** No transaction waits for a step, and it can't become smaller: only MongoDB's own limit ends it. */
const stepLimitMs = 60_000;

export interface Rolling extends Pick<RetentionRun, 'ws' | 'signal' | 'onPlace'> {
  kind: Kind;
  rows: OldRows;
  edges: Edges;
}

export interface Walked {
  /** The number of rows, and of rolled-up rows. */
  seen: number;
  count: number;
  oldest?: Date;
}

export const earlier = (a: Date | undefined, b: Date): Date => (a && a < b ? a : b);

const isDue =
  ({ edges, ws: only }: Rolling) =>
  ({ ws, time }: SeenRow): boolean =>
    (only === undefined || ws === only) && time < edges.of(ws);

export const createWalk = ({
  store,
  onRolledUp,
  restMs = (worked) => worked,
  rowsInStep = 1000,
}: RetentionOptions) => {
  /** Rolls up the old rows of a range; returns their number. */
  const step = (rolling: Rolling, range: Range): Promise<number> =>
    store.transact(
      async (session) => {
        const { kind, rows } = rolling;
        const old = (await rows.read(range, session)).filter(isDue(rolling));
        if (old.length === 0) return 0;
        await store.totals.add(session, summed(kind, old));
        const removed = await rows.remove(session, range.generation, old);
        if (removed !== old.length) throw new Error(`${old.length - removed} rows were gone before`);
        return removed;
      },
      { limitMs: stepLimitMs },
    );

  /** One generation, from a key on. */
  return async (rolling: Rolling, generation: string, from: Buffer): Promise<Walked> => {
    const { kind, rows, signal, onPlace } = rolling;
    const walked: Walked = { seen: 0, count: 0 };
    for (let after = from; ; ) {
      signal?.throwIfAborted();
      const began = performance.now();
      const range = { generation, after, most: rowsInStep };
      const some = await rows.read(range);
      const last = some.at(-1);
      if (!last) return walked;
      walked.seen += some.length;
      const [isOld, { edges }] = [isDue(rolling), rolling];
      for (const row of some)
        walked.oldest = earlier(walked.oldest, isOld(row) ? edges.of(row.ws) : row.time);
      if (some.some(isOld)) {
        const done = await step(rolling, { ...range, upTo: last._id });
        walked.count += done;
        onRolledUp?.(kind, done);
      }
      after = last._id;
      await onPlace?.({ kind, generation, after: after.toString('hex') });
      await sleep(restMs(performance.now() - began));
    }
  };
};
