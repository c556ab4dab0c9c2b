/** Applies a batch of requests in one transaction: load, plan (pure), write. All of it or nothing, and each request once. */
import { inOrder } from '@roster/batch';
import type { AcceptedRequest, Outcome } from '@roster/contract';
import { boundedNotes, type Deletions, type Fold, noDeletions, type Result } from '@roster/profile';
import { type Later, later as laterOn, type OldestBeside, type OldestOf, type OwnJobs } from '@roster/queue';
import {
  createInPieces,
  expiryOf,
  type InPieces,
  type LoadBudget,
  packAll,
  type RequestDocument,
  type Session,
  type Store,
  settingsOfAll,
} from '@roster/store';
import { prepared } from './batch.ts';
import { deletionsIn, nonePending, type PendingFor, waitingForContacts } from './deletions.ts';
import { Early, sortOut, type Waiters } from './early.ts';
import { asOutcome, createMarks, type Marks } from './marks.ts';
import { createPlanner, type Ready, type SettingsByWorkspace } from './planner.ts';
import { remarksOf } from './remarks.ts';
import { eventRow, purchaseRow } from './rows.ts';
import { defaultSettings, type SettingsOf, type TrackSettings } from './settings.ts';
import { type Writes, writePeople, writeRows } from './write.ts';

export interface ApplyOptions {
  store: Store;
  settingsOf?: SettingsOf;
  /** Another transaction was in the way: for a metric. */
  onConflict?(error: unknown, attempt: number, batch: readonly AcceptedRequest[]): void;
  /** What transactions may load. */
  inPieces?: InPieces;
  /** Replaced by fault tests, to see that they would notice if it were missing. */
  marks?: Marks;
  fold?: Fold;
  prepare?: typeof prepared;
}

export type Apply = (requests: readonly AcceptedRequest[]) => Promise<Outcome[]>;

/** Of some it may say that their turn has not come, having done nothing; those that have waited enough never hear that. */
export type TimelyApply = (
  requests: readonly AcceptedRequest[],
  waitedEnough: ReadonlySet<string>,
  own?: OwnJobs,
) => Promise<(Outcome | Later)[]>;

const writesOf = (ready: Ready, settings: SettingsByWorkspace, marks: Marks): Writes => {
  const of = (ws: string): TrackSettings => settings.get(ws) ?? defaultSettings;
  return {
    ...ready,
    events: ready.events.map((placed) =>
      eventRow(placed, marks.rowId(placed.item.origin.id), of(placed.item.origin.ws)),
    ),
    purchases: ready.purchases.map((placed) =>
      purchaseRow(placed, marks.rowId(placed.item.origin.id), of(placed.item.origin.ws)),
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

const markOf = (
  { origin, entries, notes }: Result,
  op: string,
  settings: SettingsByWorkspace,
): RequestDocument => {
  const applied = new Date();
  return {
    _id: origin.id,
    ws: origin.ws,
    op,
    at: origin.at,
    state: 'applied',
    applied,
    entries: packAll(entries),
    ...(notes.length > 0 && { notes }),
    expires: expiryOf(applied, settings.get(origin.ws)?.outcomeDays),
  };
};

const outcomeOf = ({ entries, notes }: Result): Outcome => ({
  state: 'applied',
  entries,
  ...(notes.length > 0 && { notes }),
});

/** Without the outcomes of those whose turn comes later. Throws `Early`, having done nothing, when the turn of some has not come unless it is sure. */
type ApplyRound = (
  batch: readonly AcceptedRequest[],
  sure: ReadonlySet<string>,
  deletions?: Deletions,
) => Promise<Map<string, Outcome>>;

interface Waiting {
  sure: ReadonlySet<string>;
  deletions: Deletions;
}

/** Throws when some of the results say that the turn of their requests has not come. */
const assertTimely = (results: readonly Result[], sure: ReadonlySet<string>): void => {
  const early = results.filter(({ early, origin }) => early && !sure.has(origin.id));
  const waiting = results.filter(({ waits }) => waits);
  const idsOf = (some: readonly Result[]) => some.map(({ origin }) => origin.id);
  if (early.length + waiting.length > 0) throw new Early(idsOf(early), idsOf(waiting));
};

const createRound = (options: ApplyOptions): ApplyRound => {
  const { store, settingsOf = () => defaultSettings, onConflict, fold, prepare = prepared } = options;
  const marks = options.marks ?? createMarks(store);
  const inPieces = options.inPieces ?? createInPieces();
  const planned = createPlanner(store, fold);

  const applyOnce = async (
    session: Session,
    attempt: number,
    batch: readonly AcceptedRequest[],
    settings: SettingsByWorkspace,
    { sure, deletions }: Waiting,
    budget: LoadBudget,
  ): Promise<Map<string, Outcome>> => {
    const found = await marks.find(
      session,
      batch.map(({ id }) => id),
      attempt,
    );
    const fresh = batch.filter(({ id }) => !found.applied.has(id));
    const outcomes = new Map<string, Outcome>();
    for (const [id, stored] of found.applied) outcomes.set(id, asOutcome(stored));
    if (fresh.length === 0) return outcomes;
    const ready = await planned(session, fresh.map(prepare), settings, budget, deletions);
    assertTimely(ready.results, sure);
    withRemarks(ready, settings);
    for (const result of ready.results) result.notes = boundedNotes(result.notes);
    const writes = writesOf(ready, settings, marks);
    await writePeople(store, session, writes);
    const written = ready.results.map((result, index) => markOf(result, fresh[index]?.op ?? '', settings));
    await marks.write(session, written, found);
    await writeRows(store, session, writes);
    for (const result of ready.results) outcomes.set(result.origin.id, outcomeOf(result));
    return outcomes;
  };

  return async (batch, sure, deletions = noDeletions) => {
    const settings = await settingsOfAll(batch, settingsOf);
    const outcomes = new Map<string, Outcome>();
    await inPieces(batch, async (piece, newBudget) => {
      const applied = await store.transact(
        (session, attempt) => applyOnce(session, attempt, piece, settings, { sure, deletions }, newBudget()),
        { ...(onConflict && { onConflict: (error, attempt) => onConflict(error, attempt, piece) }) },
      );
      for (const [id, outcome] of applied) outcomes.set(id, outcome);
    });
    return outcomes;
  };
};

export const createApply = (options: ApplyOptions): Apply => {
  const round = createRound(options);
  return async (requests) => {
    const outcomes = new Map<string, Outcome>();
    const sure = new Set(requests.map(({ id }) => id));
    for (let left = inOrder(requests); left.length > 0; left = left.filter(({ id }) => !outcomes.has(id)))
      for (const [id, outcome] of await round(left, sure)) outcomes.set(id, outcome);
    return requests.map(({ id }) => outcomes.get(id) ?? missing(id));
  };
};

export interface Awaited {
  oldestBeside: OldestBeside;
  pendingFor?: PendingFor;
  /** Of the digests in the notices of deletions. */
  secret?: string;
}

/**
 * Lets requests wait that depend on somebody not being there while something accepted before them is unfinished, and those about people
 * whose deletion was accepted before.
 */
export const createTimelyApply = (
  options: ApplyOptions,
  { oldestBeside, pendingFor = nonePending, secret = '' }: Awaited,
): TimelyApply => {
  const round = createRound(options);

  const inTime = async (
    batch: readonly AcceptedRequest[],
    waiters: Waiters,
    deletions: Deletions,
    oldest: () => Promise<OldestOf>,
  ): Promise<Map<string, Outcome>> => {
    const timely = batch.filter(({ id }) => !waiters.later.has(id));
    if (timely.length === 0) return new Map();
    try {
      return await round(timely, waiters.sure, deletions);
    } catch (error) {
      if (!(error instanceof Early)) throw error;
      for (const id of error.waiting) waiters.later.add(id);
      if (error.ids.length > 0) await sortOut(error.ids, batch, oldest, waiters);
      return inTime(batch, waiters, deletions, oldest);
    }
  };

  return async (requests, waitedEnough, own = () => new Set(requests.map(({ at }) => at))) => {
    const batch = inOrder(requests);
    const oldest = () => oldestBeside(own());
    const pending = await pendingFor(batch);
    const later = new Set(await waitingForContacts(batch, waitedEnough, pending, oldest));
    const waiters: Waiters = { sure: new Set(waitedEnough), later };
    const outcomes = await inTime(batch, waiters, deletionsIn(pending, secret, waitedEnough), oldest);
    return requests.map(({ id }) => outcomes.get(id) ?? laterOn);
  };
};

const missing = (id: string): never => {
  throw new Error(`request ${id} was applied without an outcome`);
};
