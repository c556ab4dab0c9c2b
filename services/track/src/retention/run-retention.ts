/**
 * Rolls up occurrences older than their workspace keeps them, in small steps. A step is one transaction: the rows that it adds to the totals
 * are removed. So a run can end anywhere, be repeated, or run beside another one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type GenerationDocument, kinds, type OccurrenceKind, type Store } from '@roster/store';
import { createOldRows, isYoung, type OldRows, type Range, type SeenRow } from './old-rows.ts';
import { summed } from './summed.ts';
import { type Edges, readEdges } from './windows.ts';

export interface RetentionOptions {
  store: Pick<Store, 'events' | 'purchases' | 'totals' | 'workspaces' | 'transact'>;
  /** The rest after this much work: other users of MongoDB and of this process come first. */
  restMs?(workedMs: number): number;
  onRolledUp?(kind: OccurrenceKind, rows: number): void;
  rowsInStep?: number;
}

/** The position of a run: an interrupted run continues from it. */
export interface RetentionPlace {
  kind: OccurrenceKind;
  generation: string;
  /** A key, in hexadecimal digits. */
  after: string;
}

export interface RetentionRun {
  /** The current time. */
  now: number;
  /** Only this workspace. */
  ws?: string | undefined;
  from?: RetentionPlace | undefined;
  signal?: AbortSignal;
  onPlace?(place: RetentionPlace): Promise<void>;
}

export interface RetentionResult {
  events: number;
  purchases: number;
  /** By kind, the time of the oldest row that is left; a lower bound where no row was old. */
  oldest: { [Name in OccurrenceKind]?: Date };
}

/** No transaction waits for a step, and it can't become smaller: only MongoDB's own limit ends it. */
const stepLimitMs = 60_000;

/** Before all keys. */
const beginning = Buffer.alloc(0);

interface Rolling extends Pick<RetentionRun, 'ws' | 'signal' | 'onPlace'> {
  kind: OccurrenceKind;
  rows: OldRows;
  edges: Edges;
}

interface Walked {
  /** Rows that were there, and those that were rolled up. */
  seen: number;
  count: number;
  oldest?: Date;
}

const earlier = (a: Date | undefined, b: Date): Date => (a && a < b ? a : b);

const isDue =
  ({ edges, ws: only }: Rolling) =>
  ({ ws, time }: SeenRow): boolean =>
    (only === undefined || ws === only) && time < edges.of(ws);

const createWalk = ({
  store,
  onRolledUp,
  restMs = (worked) => worked,
  rowsInStep = 1000,
}: RetentionOptions) => {
  /** Rolls up what is old in a range; returns its number. */
  const step = (rolling: Rolling, range: Range): Promise<number> =>
    store.transact(
      async (session) => {
        const { kind, rows } = rolling;
        const old = (await rows.read(range, session)).filter(isDue(rolling));
        if (old.length === 0) return 0;
        await store.totals.add(session, summed(kind, old));
        const removed = await rows.remove(session, range.generation, old);
        if (removed !== old.length) throw new Error(`${old.length - removed} rows were already removed`);
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

/** The generations that an interrupted run has not walked yet. */
const left = (all: readonly GenerationDocument[], from: RetentionPlace | undefined) =>
  all.slice(
    Math.max(
      0,
      all.findIndex(({ _id }) => _id === from?.generation),
    ),
  );

export const createRetention = (options: RetentionOptions) => {
  const { store } = options;
  const walk = createWalk(options);

  const runKind = async (rolling: Rolling, from: RetentionPlace | undefined): Promise<Walked> => {
    const all: Walked = { seen: 0, count: 0 };
    for (const generation of left(await rolling.rows.generations(), from)) {
      if (isYoung(generation, rolling.edges)) {
        if (generation.oldest) all.oldest = earlier(all.oldest, generation.oldest);
        continue;
      }
      const isHalfDone = from?.generation === generation._id;
      const after = isHalfDone ? Buffer.from(from.after, 'hex') : beginning;
      const { seen, count, oldest } = await walk(rolling, generation._id, after);
      all.count += count;
      if (oldest) all.oldest = earlier(all.oldest, oldest);
      if (seen === 0 && !isHalfDone) await rolling.rows.foundEmpty(generation);
    }
    return all;
  };

  return async ({ now, from, ...run }: RetentionRun): Promise<RetentionResult> => {
    const edges = await readEdges(store, now);
    const result: RetentionResult = { events: 0, purchases: 0, oldest: {} };
    for (const kind of kinds.slice(from ? kinds.indexOf(from.kind) : 0)) {
      const rolling = { ...run, kind, edges, rows: createOldRows(store, kind) };
      const { count, oldest } = await runKind(rolling, from?.kind === kind ? from : undefined);
      result[kind] = count;
      if (oldest) result.oldest[kind] = oldest;
    }
    return result;
  };
};
