/** Applies a batch of requests in one transaction: load, plan (pure), write. All of it or nothing, and each request once. */
import { inOrder } from '@roster/batch';
import type { AcceptedRequest, EntryResult } from '@roster/contract';
import {
  type Known,
  planSubscriptions,
  type SubscriptionOutcome,
  type SubscriptionPlan,
  type SubscriptionRequest,
} from '@roster/profile';
import {
  createMarks,
  expiryOf,
  packAll,
  type RequestDocument,
  type Session,
  type Store,
  settingsOfAll,
} from '@roster/store';
import { type ChannelOf, channelsOf } from './channels.ts';
import { load, loadMore } from './load.ts';
import { subscriptionRequest } from './requests.ts';
import { writePlan } from './write.ts';

/** One list of results for each kind of name. */
type Entries = Record<string, EntryResult[]>;

export interface ApplyOptions {
  store: Store;
  /** Another transaction was in the way: for a metric. */
  onConflict?(error: unknown, attempt: number): void;
  /** Applied now, and not before: for a metric. */
  onApplied?(request: AcceptedRequest, entries: Entries): void;
  /** Replaced by fault tests, to see that they would notice if it were missing. */
  planned?: typeof planSubscriptions;
}

/** All of them or an error; in the order of the requests. */
export type Apply = (requests: readonly AcceptedRequest[]) => Promise<Entries[]>;

type Ready = Extract<SubscriptionPlan, { ready: true }>;

/** Each round loads what the one before found missing. More than this is a mistake of the rules. */
const mostRounds = 100;

const markOf = ({ origin, entries }: SubscriptionOutcome, op: string, days?: number): RequestDocument => {
  const applied = new Date();
  const { id: _id, ws, at } = origin;
  const expires = expiryOf(applied, days);
  return { _id, ws, op, at, state: 'applied', applied, entries: packAll(entries), expires };
};

export const createApply = (options: ApplyOptions): Apply => {
  const { store, onConflict, planned = planSubscriptions } = options;
  const marks = createMarks(store.requests);

  const plan = async (session: Session, requests: readonly SubscriptionRequest[]): Promise<Ready> => {
    let known: Known = await load(store, session, requests);
    for (let round = 0; round < mostRounds; round++) {
      const made = planned({ requests, known });
      if (made.ready) return made;
      known = await loadMore(store, session, known, made.needs);
    }
    throw new Error(`planning asked for more ${mostRounds} times`);
  };

  const applyOnce = async (
    session: Session,
    attempt: number,
    batch: readonly AcceptedRequest[],
    days: ReadonlyMap<string, number>,
    channelOf: ChannelOf,
  ): Promise<{ entries: Map<string, Entries>; fresh: AcceptedRequest[] }> => {
    const ids = batch.map(({ id }) => id);
    const found = await marks.find(session, ids, attempt);
    const entries = new Map<string, Entries>();
    for (const [id, outcome] of found.applied) entries.set(id, outcome.entries ?? {});
    const fresh = batch.filter(({ id }) => !found.applied.has(id));
    if (fresh.length === 0) return { entries, fresh };
    const opOf = new Map<string, string>(fresh.map(({ id, op }) => [id, op]));
    const about = fresh.map((request) => subscriptionRequest(request, channelOf));
    const ready = await plan(session, about);
    await writePlan(store, session, ready);
    const written = ready.outcomes.map((outcome) =>
      markOf(outcome, opOf.get(outcome.origin.id) ?? '', days.get(outcome.origin.ws)),
    );
    await marks.write(session, written, found);
    for (const outcome of ready.outcomes) entries.set(outcome.origin.id, outcome.entries);
    return { entries, fresh };
  };

  return async (requests) => {
    const batch = inOrder(requests);
    const days = await settingsOfAll(batch, store.outcomeDaysOf);
    const channelOf = await channelsOf(store, batch);
    const { entries, fresh } = await store.transact(
      (session, attempt) => applyOnce(session, attempt, batch, days, channelOf),
      { ...(onConflict && { onConflict }) },
    );
    for (const request of fresh) options.onApplied?.(request, entries.get(request.id) ?? {});
    return requests.map(({ id }) => entries.get(id) ?? missing(id));
  };
};

const missing = (id: string): never => {
  throw new Error(`request ${id} was applied without an outcome`);
};
