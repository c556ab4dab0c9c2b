/** What the road of a batch (packages/batch) does not know of tracking: which bodies, which rule, which writes. */
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
import { Early } from './early.ts';
import type { Marks } from './marks.ts';
import { type Ready, ruleOf, type SettingsByWorkspace } from './planner.ts';
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

/** What is known of a batch before its transaction. */
export interface Before {
  settings: SettingsByWorkspace;
  deletions: Deletions;
  /** Their turn has come, whatever they depend on. */
  sure: ReadonlySet<string>;
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

/** What is stored as it was sent, and yet has no meaning in its workspace, is named in the outcome. */
const withRemarks = ({ events, purchases, results }: Ready, settings: SettingsByWorkspace): void => {
  const resultOf = new Map(results.map((result) => [result.origin.id, result]));
  for (const { item } of [...events, ...purchases]) {
    const { kind, index, origin } = item;
    for (const remark of remarksOf(item, settings.get(origin.ws) ?? defaultSettings))
      resultOf.get(origin.id)?.notes.push({ input_array: kind, index, ...remark });
  }
};

/** Throws when some of the results say that the turn of their requests has not come. */
const assertTimely = (results: readonly Result[], sure: ReadonlySet<string>): void => {
  const early = results.filter(({ early, origin }) => early && !sure.has(origin.id));
  const waiting = results.filter(({ waits }) => waits);
  const idsOf = (some: readonly Result[]) => some.map(({ origin }) => origin.id);
  if (early.length + waiting.length > 0) throw new Early(idsOf(early), idsOf(waiting));
};

type TrackWork = Work<TrackRequest, Known, Needs, Ready>;

/** Planning throws `Early`, and nothing is done, when the turn of some requests has not come. */
export const workOn = (
  { store, marks, fold, prepare = prepared }: WorkOptions,
  { settings, deletions, sure }: Before,
): TrackWork => {
  const rule = ruleOf(store, settings, { fold, deletions });
  return {
    ...rule,
    daysOf: (ws) => settings.get(ws)?.outcomeDays,
    read: prepare,
    async plan(requests, known) {
      const planned = await rule.plan(requests, known);
      if (!planned.ready) return planned;
      assertTimely(planned.results, sure);
      withRemarks(planned, settings);
      for (const result of planned.results) result.notes = boundedNotes(result.notes);
      return planned;
    },
    resultsOf: ({ results }) => results,
    write: (session, ready) => writePeople(store, session, ready),
    writeRows: (session, ready) => writeRows(store, session, rowsOf(ready, marks, settings)),
  };
};
