/**
 * Rolls up occurrences older than their workspace keeps them, in small steps. A step is one transaction: the rows that it adds to the totals
 * are removed. So a run can end anywhere, be repeated, or run beside another one.
 */
import { type GenerationDocument, type Kind, kinds } from '@roster/store';
import { createOldRows, isYoung } from './old-rows.ts';
import {
  createWalk,
  earlier,
  type Place,
  type RetentionOptions,
  type RetentionRun,
  type Rolling,
  type Walked,
} from './walk.ts';
import { readEdges } from './windows.ts';

export interface RetentionResult {
  events: number;
  purchases: number;
  /** Time of the oldest one that is left, by kind; a lower bound where nothing was old. */
  oldest: { [Name in Kind]?: Date };
}

/** Before all keys. */
const beginning = Buffer.alloc(0);

/** The generations that the run had not walked when it was interrupted. */
const left = (all: readonly GenerationDocument[], from: Place | undefined): readonly GenerationDocument[] =>
  all.slice(
    Math.max(
      0,
      all.findIndex(({ _id }) => _id === from?.generation),
    ),
  );

export const createRetention = (options: RetentionOptions) => {
  const { store } = options;
  const walk = createWalk(options);

  const runKind = async (rolling: Rolling, from: Place | undefined): Promise<Walked> => {
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
