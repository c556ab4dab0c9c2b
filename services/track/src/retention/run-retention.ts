/**
 * Rolls up occurrences older than their workspace keeps them, in small steps. A step is one transaction: the rows that it adds to the totals
 * are removed. So a run can end anywhere, be repeated, or run beside another one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventRow,
  type GenerationDocument,
  kinds,
  type OccurrenceKind,
  type PurchaseRow,
  type Store,
} from '@roster/store';
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
  edges: Edges;
}

interface Walked {
  /** Rows that were there, and those that were rolled up. */
  seen: number;
  count: number;
  oldest?: Date;
}

const earlier = (a: Date | undefined, b: Date): Date => (a && a < b ? a : b);

type OldRow = (EventRow | PurchaseRow) & { _id: Buffer };

const isDue =
  ({ edges, ws: only }: Rolling) =>
  ({ ws, time }: OldRow): boolean =>
    (only === undefined || ws === only) && time < edges.of(ws);

const createWalk = ({
  store,
  onRolledUp,
  restMs = (worked) => worked,
  rowsInStep = 1000,
}: RetentionOptions) => {
  /** Rolls up what is old among the next rows; nothing at the end. */
  const step = (rolling: Rolling, generation: string, after: Buffer) =>
    store.transact(
      async (session) => {
        const { kind } = rolling;
        const next = { after, most: rowsInStep };
        const rows: OldRow[] = await store[kind].slice(generation, next, { session });
        const last = rows.at(-1)?._id;
        if (!last) return undefined;
        const old = rows.filter(isDue(rolling));
        const keys = old.map(({ _id }) => _id);
        await store.totals.add(session, summed(kind, old));
        const removed = await store[kind].removeIn(generation, keys, session);
        if (removed !== old.length) throw new Error(`${old.length - removed} rows were already removed`);
        return { rows, last, count: removed };
      },
      { limitMs: stepLimitMs },
    );

  /** One generation, from a key on. */
  return async (rolling: Rolling, generation: string, from: Buffer): Promise<Walked> => {
    const { kind, edges, signal, onPlace } = rolling;
    const isOld = isDue(rolling);
    const walked: Walked = { seen: 0, count: 0 };
    for (let after = from; ; ) {
      signal?.throwIfAborted();
      const began = performance.now();
      const done = await step(rolling, generation, after);
      if (!done) return walked;
      walked.seen += done.rows.length;
      walked.count += done.count;
      for (const row of done.rows)
        walked.oldest = earlier(walked.oldest, isOld(row) ? edges.of(row.ws) : row.time);
      if (done.count > 0) onRolledUp?.(kind, done.count);
      after = done.last;
      await onPlace?.({ kind, generation, after: after.toString('hex') });
      await sleep(restMs(performance.now() - began));
    }
  };
};

/** All its rows are younger than every edge. */
const isYoung = ({ oldest }: GenerationDocument, { latest }: Edges): boolean =>
  oldest === undefined || oldest >= latest;

/** The generations that an interrupted run has not walked yet. */
const left = (all: readonly GenerationDocument[], from: RetentionPlace | undefined) => {
  const place = all.findIndex(({ _id }) => _id === from?.generation);
  return all.slice(Math.max(0, place));
};

export const createRetention = (options: RetentionOptions) => {
  const { store } = options;
  const walk = createWalk(options);

  const runKind = async (rolling: Rolling, from: RetentionPlace | undefined): Promise<Walked> => {
    const { generations } = store[rolling.kind];
    const all: Walked = { seen: 0, count: 0 };
    for (const generation of left(await generations.all(), from)) {
      if (isYoung(generation, rolling.edges)) {
        if (generation.oldest) all.oldest = earlier(all.oldest, generation.oldest);
        continue;
      }
      const isHalfDone = from?.generation === generation._id;
      const after = isHalfDone ? Buffer.from(from.after, 'hex') : beginning;
      const { seen, count, oldest } = await walk(rolling, generation._id, after);
      all.count += count;
      if (oldest) all.oldest = earlier(all.oldest, oldest);
      if (seen === 0 && !isHalfDone) await generations.foundEmpty(generation);
    }
    return all;
  };

  return async ({ now, from, ...run }: RetentionRun): Promise<RetentionResult> => {
    const edges = await readEdges(store, now);
    const result: RetentionResult = { events: 0, purchases: 0, oldest: {} };
    for (const kind of kinds.slice(from ? kinds.indexOf(from.kind) : 0)) {
      const rolling = { ...run, kind, edges };
      const { count, oldest } = await runKind(rolling, from?.kind === kind ? from : undefined);
      result[kind] = count;
      if (oldest) result.oldest[kind] = oldest;
    }
    return result;
  };
};
