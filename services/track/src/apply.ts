/** Applies a batch of requests in one transaction: load, plan (pure), write. All of it or nothing, and each request once. */
import type { AcceptedRequest, EventEntry, Outcome, PurchaseEntry } from '@roster/contract';
import { type Fold, type Known, type Planned, plan, type Result } from '@roster/profile';
import { expiryOf, packAll, type RequestDocument, type Session, type Store } from '@roster/store';
import { inOrder, prepared, type TrackRequest } from './batch.ts';
import { load, loadMore } from './load.ts';
import { createMarks, type Marks } from './marks.ts';
import { eventRow, happenedAt, purchaseRow } from './rows.ts';
import { defaultSettings, type SettingsOf, type TrackSettings } from './settings.ts';
import { type Writes, writePeople, writeRows } from './write.ts';

export interface ApplyOptions {
  store: Store;
  settingsOf?: SettingsOf;
  /** Another transaction was in the way: for a metric. */
  onConflict?(error: unknown, attempt: number): void;
  /** Replaced by fault tests, to see that they would notice if it were missing. */
  marks?: Marks;
  fold?: Fold;
}

export type Apply = (requests: readonly AcceptedRequest[]) => Promise<Outcome[]>;

type Ready = Extract<Planned<EventEntry, PurchaseEntry>, { ready: true }>;
type SettingsByWorkspace = ReadonlyMap<string, TrackSettings>;

const settingsOfAll = async (
  requests: readonly AcceptedRequest[],
  settingsOf: SettingsOf,
): Promise<SettingsByWorkspace> => {
  const all = new Map<string, TrackSettings>();
  for (const { ws } of requests) if (!all.has(ws)) all.set(ws, await settingsOf(ws));
  return all;
};

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

export const createApply = (options: ApplyOptions): Apply => {
  const { store, settingsOf = () => defaultSettings, onConflict, fold } = options;
  const marks = options.marks ?? createMarks(store);

  /** Planning may find that it has to know more; twice is rare, and each time fewer are missing. */
  const planned = async (session: Session, requests: readonly TrackRequest[]): Promise<Ready> => {
    let known: Known = await load(store, session, requests);
    for (;;) {
      const made = plan({ requests, known, happenedAt, ...(fold && { fold }) });
      if (made.ready) return made;
      known = await loadMore(store, session, known, made.needs);
    }
  };

  const applyOnce = async (
    session: Session,
    attempt: number,
    batch: readonly AcceptedRequest[],
    settings: SettingsByWorkspace,
  ): Promise<Map<string, Outcome>> => {
    const found = await marks.find(
      session,
      batch.map(({ id }) => id),
      attempt,
    );
    const fresh = batch.filter(({ id }) => !found.applied.has(id));
    const outcomes = new Map(found.applied);
    if (fresh.length === 0) return outcomes;
    const ready = await planned(session, fresh.map(prepared));
    const writes = writesOf(ready, settings, marks);
    await writePeople(store, session, writes);
    const written = ready.results.map((result, index) => markOf(result, fresh[index]?.op ?? '', settings));
    await marks.write(session, written, found);
    await writeRows(store, session, writes);
    for (const result of ready.results) outcomes.set(result.origin.id, outcomeOf(result));
    return outcomes;
  };

  return async (requests) => {
    const batch = inOrder(requests);
    const settings = await settingsOfAll(batch, settingsOf);
    const outcomes = await store.transact(
      (session, attempt) => applyOnce(session, attempt, batch, settings),
      {
        ...(onConflict && { onConflict }),
      },
    );
    return requests.map(({ id }) => outcomes.get(id) ?? missing(id));
  };
};

const missing = (id: string): never => {
  throw new Error(`request ${id} was applied without an outcome`);
};
