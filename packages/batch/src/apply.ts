/** Applies a batch of requests in one transaction: load, plan (pure), write. All of it or nothing, and each request once. */
import type { AcceptedRequest } from '@roster/contract';
import { type Computing, createComputing } from '@roster/queue';
import {
  createInPieces,
  createMarks,
  type InPieces,
  type LoadBudget,
  type Marks,
  markOf,
  packAll,
  type Session,
  type Store,
  type Transact,
} from '@roster/store';
import { planInRounds } from './rounds.ts';
import type { Applied, Entries, RequestResult, Work } from './work.ts';

export interface BatchApplyOptions {
  store: Store;
  /** Another transaction was in the way: for a metric. */
  onConflict?(error: unknown, attempt: number, batch: readonly AcceptedRequest[]): void;
  /** Applied now, and not before: for a metric. */
  onApplied?(request: AcceptedRequest, entries: Entries): void;
  /** What transactions may load. */
  inPieces?: InPieces;
  /** A process that ends while it plans is evidence against the requests of the plan. */
  computing?: Pick<Computing, 'on'>;
  /** Replaced by fault tests, to see that they would notice if it were missing. */
  marks?: Marks;
  transact?: Transact;
}

interface DoneBatch<Ready> {
  outcomes: Map<string, Applied>;
  /** Not applied before. */
  fresh: readonly AcceptedRequest[];
  ready?: Ready;
}

const withNotes = <Made extends object>(made: Made, notes: RequestResult['notes'] = []) =>
  notes.length > 0 ? { ...made, notes } : made;

const appliedOf = ({ entries = {}, notes }: Partial<RequestResult>): Applied =>
  withNotes({ state: 'applied' as const, entries }, notes);

const createAttempt =
  (marks: Marks, computing: Pick<Computing, 'on'>) =>
  async <Request, Known, Needs, Ready extends { ready: true }>(
    session: Session,
    attempt: number,
    batch: readonly AcceptedRequest[],
    work: Work<Request, Known, Needs, Ready>,
    budget: LoadBudget,
  ): Promise<DoneBatch<Ready>> => {
    const ids = batch.map(({ id }) => id);
    const found = await marks.find(session, ids, attempt);
    const outcomes = new Map<string, Applied>();
    for (const [id, stored] of found.applied) outcomes.set(id, appliedOf(stored));
    const fresh = batch.filter(({ id }) => !found.applied.has(id));
    if (fresh.length === 0) return { outcomes, fresh };
    const watched = {
      ...work,
      plan: (...input: Parameters<typeof work.plan>) => computing.on(fresh, () => work.plan(...input)),
    };
    const ready = await planInRounds(watched, session, fresh.map(work.read), budget);
    const results = work.resultsOf(ready);
    await work.write(session, ready);
    const written = results.map(({ origin, entries, notes }, index) => {
      const kept = withNotes({ state: 'applied' as const, entries: packAll(entries) }, notes);
      return markOf({ ...origin, op: fresh[index]?.op ?? '' }, kept, work.daysOf(origin.ws));
    });
    await marks.write(session, written, found);
    await work.writeRows?.(session, ready);
    for (const result of results) outcomes.set(result.origin.id, appliedOf(result));
    return { outcomes, fresh, ready };
  };

/** Applies a batch in order. Returns results by request id, without those of postponed requests. */
export const createBatchApply = (options: BatchApplyOptions) => {
  const { store, onConflict, onApplied } = options;
  const applyOnce = createAttempt(
    options.marks ?? createMarks(store.requests),
    options.computing ?? createComputing(),
  );
  const inPieces = options.inPieces ?? createInPieces();

  return async <Request, Known, Needs, Ready extends { ready: true }>(
    batch: readonly AcceptedRequest[],
    work: Work<Request, Known, Needs, Ready>,
  ): Promise<ReadonlyMap<string, Applied>> => {
    const all = new Map<string, Applied>();
    await inPieces(batch, async (piece, newBudget) => {
      const { outcomes, fresh, ready } = await (options.transact ?? store.transact)(
        (session, attempt) => applyOnce(session, attempt, piece, work, newBudget()),
        { ...(onConflict && { onConflict: (error, attempt) => onConflict(error, attempt, piece) }) },
      );
      for (const [id, outcome] of outcomes) all.set(id, outcome);
      if (ready) work.committed?.(ready);
      if (onApplied) for (const one of fresh) onApplied(one, outcomes.get(one.id)?.entries ?? {});
    });
    return all;
  };
};

/** Each request once, in the order of their stamps, whatever the queue did. */
export const inOrder = (requests: readonly AcceptedRequest[]): AcceptedRequest[] => {
  const once = new Map<string, AcceptedRequest>();
  for (const request of requests.toSorted((a, b) => a.at - b.at)) {
    if (!once.has(request.id)) once.set(request.id, request);
  }
  return [...once.values()];
};

/** One result for each request, in their order; undefined for a postponed request. */
export type Apply = (requests: readonly AcceptedRequest[]) => Promise<(Applied | undefined)[]>;

/** `workFor` is asked for each batch, outside of the transaction: settings of its workspaces are read there. */
export const createApply = <Request, Known, Needs, Ready extends { ready: true }>(
  options: BatchApplyOptions,
  workFor: (batch: readonly AcceptedRequest[]) => Promise<Work<Request, Known, Needs, Ready>>,
): Apply => {
  const apply = createBatchApply(options);
  return async (requests) => {
    const batch = inOrder(requests);
    const outcomes = await apply(batch, await workFor(batch));
    return requests.map(({ id }) => outcomes.get(id));
  };
};
