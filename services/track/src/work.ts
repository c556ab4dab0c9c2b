/** The parts of a batch (packages/batch) that belong to tracking: bodies, rule and writes. */
import type { Work } from '@roster/batch';
import {
  boundedNotes,
  type Deletions,
  type EntryResults,
  type Fold,
  type Needs,
  type PlanKnown,
} from '@roster/profile';
import { createMarks as createStoredMarks, type Store, type Marks as StoredMarks } from '@roster/store';
import { prepared, type TrackRequest } from './operations.ts';
import { type ReadyTrack, ruleOf, type SettingsByWorkspace } from './planner.ts';
import { isLookedUp, Premature, unknownOf, type Waiters } from './premature.ts';
import { remarksOf } from './remarks.ts';
import { eventRow, purchaseRow } from './rows.ts';
import { defaultSettings } from './settings.ts';
import { type Rows, writePeople, writeRows } from './write.ts';

/** The marks of requests, and the ids of their rows: fault tests replace both. */
export interface Marks extends StoredMarks {
  /** Ids of events and purchases begin with it. */
  rowId(requestId: string): string;
}

export const createMarks = ({ requests }: Pick<Store, 'requests'>): Marks => ({
  ...createStoredMarks(requests),
  rowId: (requestId) => requestId,
});

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
  waiters: Pick<Waiters, 'due' | 'lookedUp'>;
}

const rowsOf = ({ events, purchases }: ReadyTrack, { rowId }: Marks, settings: SettingsByWorkspace): Rows => {
  const of = ({ id, ws }: { id: string; ws: string }) =>
    [rowId(id), settings.get(ws) ?? defaultSettings] as const;
  return {
    events: events.map((placed) => eventRow(placed, ...of(placed.item.origin))),
    purchases: purchases.map((placed) => purchaseRow(placed, ...of(placed.item.origin))),
  };
};

/** Names in the outcome the values that are stored as sent but have no meaning in their workspace. */
const withRemarks = ({ events, purchases, results }: ReadyTrack, settings: SettingsByWorkspace): void => {
  const resultOf = new Map(results.map((result) => [result.origin.id, result]));
  for (const { item } of [...events, ...purchases]) {
    const { kind, index, origin } = item;
    for (const remark of remarksOf(item, settings.get(origin.ws) ?? defaultSettings))
      resultOf.get(origin.id)?.notes.push({ input_array: kind, index, ...remark });
  }
};

/** Throws when a result depends on unfinished requests and its request is not due. */
export const assertTimely = (
  results: readonly EntryResults[],
  { due, lookedUp }: Before['waiters'],
): void => {
  const early = results
    .filter(({ premature, unknown, origin: { id } }) => (premature || unknown) && !due.has(id))
    .map(unknownOf)
    .filter((one) => !isLookedUp(one, lookedUp));
  const waiting = results.filter(({ waits }) => waits).map(({ origin }) => origin.id);
  if (early.length + waiting.length > 0) throw new Premature(early, waiting);
};

/** Planning throws `Premature`, with nothing done, when a request has to wait. */
export const workOn = (
  { store, marks, fold, prepare = prepared }: WorkOptions,
  { settings, deletions, waiters }: Before,
): Work<TrackRequest, PlanKnown, Needs, ReadyTrack> => {
  const rule = ruleOf(store, settings, { fold, deletions });
  return {
    ...rule,
    daysOf: (ws) => settings.get(ws)?.outcomeDays,
    read: prepare,
    async plan(requests, known) {
      const planned = await rule.plan(requests, known);
      if (!planned.ready) return planned;
      assertTimely(planned.results, waiters);
      withRemarks(planned, settings);
      for (const result of planned.results) result.notes = boundedNotes(result.notes);
      return planned;
    },
    resultsOf: ({ results }) => results,
    write: (session, ready) => writePeople(store, session, ready),
    writeRows: (session, ready) => writeRows(store, session, rowsOf(ready, marks, settings)),
  };
};
