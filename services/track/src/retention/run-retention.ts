/**
 * Rolls up occurrences older than their workspace keeps them, in small steps. A step is one transaction: the rows that it adds to the totals
 * are removed. So a run can end anywhere, be repeated, or run beside another one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { chunks } from '@roster/batch';
import type { Store } from '@roster/store';
import { createOldRows, type Kind, type Oldest, type OldRows } from './old-rows.ts';
import { summed } from './summed.ts';
import { type Edges, readEdges } from './windows.ts';

export interface RetentionOptions {
  store: Pick<Store, 'events' | 'purchases' | 'totals' | 'workspaces' | 'transact'>;
  /** The rest after this much work: other users of MongoDB and of this process come first. */
  restMs?(workedMs: number): number;
  onRolledUp?(kind: Kind, rows: number): void;
  profilesInSlice?: number;
  rowsInStep?: number;
}

/** The position of a run: an interrupted run continues from it. */
export interface Place {
  kind: Kind;
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

export interface RetentionResult {
  events: number;
  purchases: number;
  /** Time of the oldest one that is left, by kind; an upper bound for profiles that had older ones. */
  oldest: { [Name in Kind]?: Date };
}

const kinds = ['events', 'purchases'] as const;
const profilesInQuery = 500;

/** No transaction waits for a step, and it can't become smaller: only MongoDB's own limit ends it. */
const stepLimitMs = 60_000;

/** Not by `Math.min(...)`: there may be more values than a call takes arguments. */
const least = (values: readonly number[]): number =>
  values.reduce((smallest, value) => Math.min(smallest, value), Number.POSITIVE_INFINITY);

interface Rolling extends Pick<RetentionRun, 'ws' | 'signal'> {
  kind: Kind;
  rows: OldRows;
  edges: Edges;
}

/** Rolls up the rows of some profiles that are older than one edge. */
const createRollUp = ({
  store,
  onRolledUp,
  restMs = (worked) => worked,
  rowsInStep = 1000,
}: RetentionOptions) => {
  /** Returns the number of rows; fewer than a step takes means that no more are left. */
  const step = ({ kind, rows }: Rolling, profiles: readonly string[], edge: Date): Promise<number> =>
    store.transact(
      async (session) => {
        const old = await rows.read(session, profiles, edge, rowsInStep);
        if (old.length === 0) return 0;
        await store.totals.add(session, summed(kind, old));
        const ids = old.map(({ _id }) => _id);
        const removed = await rows.remove(session, ids);
        if (removed !== ids.length) throw new Error(`${ids.length - removed} rows were gone before`);
        return ids.length;
      },
      { limitMs: stepLimitMs },
    );

  return async (rolling: Rolling, profiles: readonly string[], edge: Date): Promise<number> => {
    let count = 0;
    for (;;) {
      rolling.signal?.throwIfAborted();
      const began = performance.now();
      const done = await step(rolling, profiles, edge);
      if (done === 0) return count;
      count += done;
      onRolledUp?.(rolling.kind, done);
      await sleep(restMs(performance.now() - began));
      if (done < rowsInStep) return count;
    }
  };
};

/** The profiles with rows that are older than their workspace keeps them, by the edge of the workspace. */
const dueByEdge = async (
  { rows, edges, ws: only }: Rolling,
  slice: readonly Oldest[],
): Promise<Map<number, string[]>> => {
  const found = new Map<number, string[]>();
  const old = slice.filter(({ time }) => time < edges.latest);
  for (const some of chunks(old, profilesInQuery)) {
    const workspaceOf = await rows.workspacesOf(some.map(({ profile }) => profile));
    for (const { profile, time } of some) {
      const ws = workspaceOf.get(profile);
      if (ws === undefined || (only !== undefined && ws !== only) || time >= edges.of(ws)) continue;
      const edge = edges.of(ws).getTime();
      const same = found.get(edge);
      if (same) same.push(profile);
      else found.set(edge, [profile]);
    }
  }
  return found;
};

export const createRetention = (options: RetentionOptions) => {
  const { store, profilesInSlice = 20_000 } = options;
  const rollUp = createRollUp(options);

  const rollUpSlice = async (
    rolling: Rolling,
    slice: readonly Oldest[],
  ): Promise<{ count: number; oldest: Date | undefined }> => {
    const due = await dueByEdge(rolling, slice);
    let count = 0;
    for (const [ms, all] of due)
      for (const profiles of chunks(all, profilesInQuery))
        count += await rollUp(rolling, profiles, new Date(ms));
    const edgeOf = new Map([...due].flatMap(([ms, all]) => all.map((id) => [id, ms] as const)));
    const times = slice.map(({ profile, time }) => Math.max(time.getTime(), edgeOf.get(profile) ?? 0));
    return { count, oldest: times.length > 0 ? new Date(least(times)) : undefined };
  };

  return async (run: RetentionRun): Promise<RetentionResult> => {
    const edges = await readEdges(store, run.now);
    const result: RetentionResult = { events: 0, purchases: 0, oldest: {} };
    for (const kind of kinds.slice(kinds.indexOf(run.from?.kind ?? 'events'))) {
      const rows = createOldRows(store, kind);
      let after = run.from?.kind === kind ? run.from.after : '';
      for (;;) {
        run.signal?.throwIfAborted();
        const slice = await rows.slice(after, profilesInSlice);
        const { count, oldest } = await rollUpSlice({ ...run, kind, rows, edges }, slice);
        result[kind] += count;
        const before = result.oldest[kind];
        if (oldest && (!before || oldest < before)) result.oldest[kind] = oldest;
        if (slice.length < profilesInSlice) break;
        after = slice.at(-1)?.profile ?? after;
        await run.onPlace?.({ kind, after });
      }
    }
    return result;
  };
};
