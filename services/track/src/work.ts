/** The parts of a batch (packages/batch) that belong to tracking: bodies, rule and writes. */
import type { Work } from '@roster/batch';
import {
  boundedNotes,
  type Deletions,
  type Fold,
  type Known,
  type Needs,
  type Result,
} from '@roster/profile';
import type { Store } from '@roster/store';
import { prepared, type TrackRequest } from './batch.ts';
import type { Marks } from './marks.ts';
import { type Ready, ruleOf, type SettingsByWorkspace } from './planner.ts';
import { Premature } from './premature.ts';
import { remarksOf } from './remarks.ts';
import { eventRow, purchaseRow } from './rows.ts';
import { defaultSettings, type TrackSettings } from './settings.ts';
import { type Rows, writePeople, writeRows } from './write.ts';

export interface WorkOptions {
  store: Store;
  marks: Marks;
  fold?: Fold | undefined;
  prepare?: typeof prepared | undefined;
}

/** Loaded before the transaction of a batch. */
export interface Before {
  settings: SettingsByWorkspace;
  deletions: Deletions;
  /** Requests whose turn has come, whether what they depend on is finished or not. */
  due: ReadonlySet<string>;
}

const rowsOf = ({ events, purchases }: Ready, { rowId }: Marks, settings: SettingsByWorkspace): Rows => {
  const of = (ws: string): TrackSettings => settings.get(ws) ?? defaultSettings;
  return {
    events: events.map((placed) => eventRow(placed, rowId(placed.item.origin.id), of(placed.item.origin.ws))),
    purchases: purchases.map((placed) =>
      purchaseRow(placed, rowId(placed.item.origin.id), of(placed.item.origin.ws)),
    ),
  };
};

/** Names in the outcome the values that are stored as sent but have no meaning in their workspace. */
const withRemarks = ({ events, purchases, results }: Ready, settings: SettingsByWorkspace): void => {
  const resultOf = new Map(results.map((result) => [result.origin.id, result]));
  for (const { item } of [...events, ...purchases]) {
    const { kind, index, origin } = item;
    for (const remark of remarksOf(item, settings.get(origin.ws) ?? defaultSettings))
      resultOf.get(origin.id)?.notes.push({ input_array: kind, index, ...remark });
  }
};

/** Throws when a request that is not due has a premature result. */
const assertTimely = (results: readonly Result[], due: ReadonlySet<string>): void => {
  const premature = results.filter(({ premature, origin }) => premature && !due.has(origin.id));
  const waiting = results.filter(({ waits }) => waits);
  const idsOf = (some: readonly Result[]) => some.map(({ origin }) => origin.id);
  if (premature.length + waiting.length > 0) throw new Premature(idsOf(premature), idsOf(waiting));
};

type TrackWork = Work<TrackRequest, Known, Needs, Ready>;

/** Planning throws `Premature`, with nothing done, when a request has to wait. */
export const workOn = (
  { store, marks, fold, prepare = prepared }: WorkOptions,
  { settings, deletions, due }: Before,
): TrackWork => {
  const rule = ruleOf(store, settings, { fold, deletions });
  return {
    ...rule,
    daysOf: (ws) => settings.get(ws)?.outcomeDays,
    read: prepare,
    async plan(requests, known) {
      const planned = await rule.plan(requests, known);
      if (!planned.ready) return planned;
      assertTimely(planned.results, due);
      withRemarks(planned, settings);
      for (const result of planned.results) result.notes = boundedNotes(result.notes);
      return planned;
    },
    resultsOf: ({ results }) => results,
    write: (session, ready) => writePeople(store, session, ready),
    writeRows: (session, ready) => writeRows(store, session, rowsOf(ready, marks, settings)),
  };
};
