/** Applies a batch of requests in one transaction: load, plan (pure), write. All of it or nothing, and each request once. */
import { inOrder } from '@roster/batch';
import { type AcceptedRequest, type EntryResult, isoTime, type OutcomeNote } from '@roster/contract';
import {
  type IdentityKnown,
  type IdentityOutcome,
  type IdentityPlan,
  type IdentityRequest,
  planIdentity,
  usualProfileBytes,
} from '@roster/profile';
import {
  createInPieces,
  createMarks,
  defaultOutcomeDays,
  expiryOf,
  type InPieces,
  type LoadBudget,
  packAll,
  type RequestDocument,
  type Session,
  type Store,
  settingsOfAll,
  type Transact,
} from '@roster/store';
import { load, loadMore } from './load.ts';
import { identityRequest } from './requests.ts';
import { writePlan } from './write.ts';

/** One list of results for each list of the request. */
export type Entries = Record<string, EntryResult[]>;

export interface ApplyOptions {
  store: Store;
  /** A stamp later than all that were given before. */
  takeStamp(): Promise<number>;
  /** Another transaction was in the way: for a metric. */
  onConflict?(error: unknown, attempt: number): void;
  /** Applied now, and not before: for a metric. */
  onApplied?(request: AcceptedRequest, entries: Entries): void;
  /** People were deleted: their rows can be removed. */
  onDeleted?(): void;
  /** What transactions may load. */
  inPieces?: InPieces;
  /** Replaced by fault tests, to see that they would notice if it were missing. */
  transact?: Transact;
}

/** What became of one request. */
export interface Applied {
  state: 'applied';
  entries: Entries;
  /** What was left behind. */
  notes?: OutcomeNote[];
}

/** In the order of the requests; nothing of those whose turn comes later. */
export type Apply = (requests: readonly AcceptedRequest[]) => Promise<(Applied | undefined)[]>;

type Ready = Extract<IdentityPlan, { ready: true }>;

/** What was set for the workspaces of a batch. */
interface Settings {
  days: ReadonlyMap<string, number>;
  profileBytes: ReadonlyMap<string, number>;
  proof: ReadonlyMap<string, boolean>;
}

interface Batch {
  outcomes: Map<string, Applied>;
  fresh: ReadonlySet<string>;
  deleted: boolean;
}

const appliedOf = (entries: Entries, notes: OutcomeNote[] = []): Applied => ({
  state: 'applied',
  entries,
  ...(notes.length > 0 && { notes }),
});

/** Each round loads what the one before found missing. More than this is a mistake of the rules. */
const mostRounds = 500;

export const createApply = (options: ApplyOptions): Apply => {
  const { store, takeStamp, onConflict } = options;
  const transact = options.transact ?? store.transact;
  const marks = createMarks(store.requests);
  const inPieces = options.inPieces ?? createInPieces();

  const planned = async (
    session: Session,
    requests: readonly IdentityRequest[],
    mostBytesOf: (ws: string) => number,
    budget: LoadBudget,
  ): Promise<{ ready: Ready; now: number }> => {
    let known: IdentityKnown = await load(store, session, requests, budget);
    // Taken when the snapshot is: whatever it shows was stamped before.
    const now = await takeStamp();
    for (let round = 0; round < mostRounds; round++) {
      const made = planIdentity({ requests, known, now, time: isoTime, mostBytesOf });
      if (made.ready) return { ready: made, now };
      known = await loadMore(store, session, known, made.needs, requests, budget);
    }
    throw new Error(`planning asked for more ${mostRounds} times`);
  };

  const markOf = (
    { origin, entries, notes }: IdentityOutcome,
    op: string,
    days: number | undefined,
  ): RequestDocument => {
    const applied = new Date();
    const { id, ws, at } = origin;
    return {
      _id: id,
      ws,
      op,
      at,
      state: 'applied',
      applied,
      entries: packAll(entries),
      ...(notes.length > 0 && { notes }),
      expires: expiryOf(applied, days),
    };
  };

  const applyOnce = async (
    session: Session,
    attempt: number,
    batch: readonly AcceptedRequest[],
    { days, profileBytes, proof }: Settings,
    budget: LoadBudget,
  ): Promise<Batch> => {
    const found = await marks.find(
      session,
      batch.map(({ id }) => id),
      attempt,
    );
    const outcomes = new Map<string, Applied>();
    for (const [id, { entries, notes }] of found.applied) outcomes.set(id, appliedOf(entries ?? {}, notes));
    const fresh = batch.filter(({ id }) => !found.applied.has(id));
    const opOf = new Map<string, string>(fresh.map(({ id, op }) => [id, op]));
    if (fresh.length === 0) return { outcomes, fresh: new Set(), deleted: false };
    const mostBytesOf = (ws: string): number => profileBytes.get(ws) ?? usualProfileBytes;
    const { ready, now } = await planned(session, fresh.map(identityRequest), mostBytesOf, budget);
    const daysOf = (ws: string): number => days.get(ws) ?? defaultOutcomeDays;
    await writePlan(store, session, { ...ready, now, daysOf, keepsProof: (ws) => proof.get(ws) === true });
    const written = ready.outcomes.map((outcome) =>
      markOf(outcome, opOf.get(outcome.origin.id) ?? '', days.get(outcome.origin.ws)),
    );
    await marks.write(session, written, found);
    for (const { origin, entries, notes } of ready.outcomes)
      outcomes.set(origin.id, appliedOf(entries, notes));
    return { outcomes, fresh: new Set(opOf.keys()), deleted: ready.sweeps.length > 0 };
  };

  return async (requests) => {
    const batch = inOrder(requests);
    const settings: Settings = {
      days: await settingsOfAll(batch, store.outcomeDaysOf),
      profileBytes: await settingsOfAll(batch, store.profileBytesOf),
      proof: await settingsOfAll(batch, store.keepsProofOf),
    };
    const all = new Map<string, Applied>();
    await inPieces(batch, async (piece, newBudget) => {
      const { outcomes, fresh, deleted } = await transact(
        (session, attempt) => applyOnce(session, attempt, piece, settings, newBudget()),
        { ...(onConflict && { onConflict }) },
      );
      for (const [id, one] of outcomes) all.set(id, one);
      if (deleted) options.onDeleted?.();
      for (const request of piece)
        if (fresh.has(request.id)) options.onApplied?.(request, outcomes.get(request.id)?.entries ?? {});
    });
    return requests.map(({ id }) => all.get(id));
  };
};
