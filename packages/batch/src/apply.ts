/** Applies a batch of requests in one transaction: load, plan (pure), write. All of it or nothing, and each request once. */
import type { AcceptedRequest, EntryResult, OutcomeNote } from '@roster/contract';
import {
  createInPieces,
  createMarks,
  expiryOf,
  type InPieces,
  type LoadBudget,
  type Marks,
  packAll,
  type RequestDocument,
  type Session,
  type Store,
  type Transact,
} from '@roster/store';
import { inOrder } from './in-order.ts';
import { planInRounds, type Rule } from './rounds.ts';

/** One list of results for each list of the request. */
export type Entries = Record<string, EntryResult[]>;

/** What became of one request. */
export interface Applied {
  state: 'applied';
  entries: Entries;
  /** What was ignored or left behind. */
  notes?: OutcomeNote[];
}

/** What a rule says of one request. */
interface Result {
  origin: Pick<AcceptedRequest, 'id' | 'ws' | 'at'>;
  entries: Entries;
  notes?: OutcomeNote[];
}

/** What is a worker's own: it reads bodies, and it has a load, a rule and a write. */
export interface Work<Request, Known, Needs, Ready extends { ready: true }>
  extends Rule<Request, Known, Needs, Ready> {
  /** From what the judge accepted to what the rule is about. */
  read(request: AcceptedRequest): Request;
  /** Profiles come first: if another transaction is in the way, it shows before anything else is done. */
  write(session: Session, ready: Ready): Promise<void>;
  /** Rows come after the marks: those of a request that was applied before are not sent a second time. */
  writeRows?(session: Session, ready: Ready): Promise<void>;
  /** One for each request, in their order. */
  resultsOf(ready: Ready): readonly Result[];
  /** How many days a workspace keeps outcomes. */
  daysOf(ws: string): number | undefined;
  /** The transaction is committed. */
  committed?(ready: Ready): void;
}

export interface ApplyOptions {
  store: Store;
  /** Another transaction was in the way: for a metric. */
  onConflict?(error: unknown, attempt: number, batch: readonly AcceptedRequest[]): void;
  /** Applied now, and not before: for a metric. */
  onApplied?(request: AcceptedRequest, entries: Entries): void;
  /** What transactions may load. */
  inPieces?: InPieces;
  /** Replaced by fault tests, to see that they would notice if it were missing. */
  marks?: Marks;
  transact?: Transact;
}

interface Done<Ready> {
  outcomes: Map<string, Applied>;
  /** Not applied before. */
  fresh: readonly AcceptedRequest[];
  ready?: Ready;
}

const appliedOf = ({ entries = {}, notes = [] }: Partial<Result>): Applied => ({
  state: 'applied',
  entries,
  ...(notes.length > 0 && { notes }),
});

const markOf = (
  { origin: { id: _id, ws, at }, entries, notes = [] }: Result,
  op: string,
  days: number | undefined,
): RequestDocument => {
  const applied = new Date();
  return {
    _id,
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

/** Of a batch in order: by request id, what became of it. Nothing of those whose turn comes later. */
export const createBatchApply = (options: ApplyOptions) => {
  const { store, onConflict, onApplied } = options;
  const marks = options.marks ?? createMarks(store.requests);
  const inPieces = options.inPieces ?? createInPieces();

  const applyOnce = async <Request, Known, Needs, Ready extends { ready: true }>(
    session: Session,
    attempt: number,
    batch: readonly AcceptedRequest[],
    work: Work<Request, Known, Needs, Ready>,
    budget: LoadBudget,
  ): Promise<Done<Ready>> => {
    const ids = batch.map(({ id }) => id);
    const found = await marks.find(session, ids, attempt);
    const outcomes = new Map<string, Applied>();
    for (const [id, stored] of found.applied) outcomes.set(id, appliedOf(stored));
    const fresh = batch.filter(({ id }) => !found.applied.has(id));
    if (fresh.length === 0) return { outcomes, fresh };
    const ready = await planInRounds(work, session, fresh.map(work.read), budget);
    const results = work.resultsOf(ready);
    await work.write(session, ready);
    const written = results.map((result, index) =>
      markOf(result, fresh[index]?.op ?? '', work.daysOf(result.origin.ws)),
    );
    await marks.write(session, written, found);
    await work.writeRows?.(session, ready);
    for (const result of results) outcomes.set(result.origin.id, appliedOf(result));
    return { outcomes, fresh, ready };
  };

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

/** In the order of the requests; nothing of those whose turn comes later. */
export type Apply = (requests: readonly AcceptedRequest[]) => Promise<(Applied | undefined)[]>;

export interface WorkerOptions<Request, Known, Needs, Ready extends { ready: true }> extends ApplyOptions {
  /** Asked for each batch, outside of the transaction: settings of its workspaces are read there. */
  workFor(batch: readonly AcceptedRequest[]): Promise<Work<Request, Known, Needs, Ready>>;
}

export const createApply = <Request, Known, Needs, Ready extends { ready: true }>(
  options: WorkerOptions<Request, Known, Needs, Ready>,
): Apply => {
  const apply = createBatchApply(options);
  return async (requests) => {
    const batch = inOrder(requests);
    const outcomes = await apply(batch, await options.workFor(batch));
    return requests.map(({ id }) => outcomes.get(id));
  };
};
