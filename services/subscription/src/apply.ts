/** The parts of a batch (packages/batch) that belong to subscriptions: bodies, rule and writes. */
import {
  type Apply,
  type BatchApplyOptions as BatchOptions,
  createApply as createBatch,
  type Work,
} from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import {
  type ChangedProfile,
  type Needs,
  type PlanKnown,
  planSubscriptions,
  type SubscriptionPlan,
  type SubscriptionRequest,
} from '@roster/profile';
import { type Session, type Store, settingsOfAll } from '@roster/store';
import { load, loadMore } from './load.ts';
import { channelsOf, subscriptionRequest } from './operations.ts';

export type { Apply } from '@roster/batch';

export interface SubscriptionApplyOptions extends BatchOptions {
  /** A fault test replaces it, to see that the test would notice its absence. */
  planned?: typeof planSubscriptions;
}

type ReadySubscription = Extract<SubscriptionPlan, { ready: true }>;

/** No other member changes here. Read in this transaction, so a change in between is a conflict. */
const change = ({ after: { _id, consents, created_at, updated_at } }: ChangedProfile) => ({
  updateOne: {
    filter: { _id },
    update: { $set: { consents, created_at, updated_at } },
  },
});

const writePlan = async (
  { profiles, contactConsents }: Pick<Store, 'profiles' | 'contactConsents'>,
  session: Session,
  { changed, contacts }: ReadySubscription,
): Promise<void> => {
  if (changed.length > 0) await profiles.bulkWrite(changed.map(change), { session });
  await contactConsents.write(session, contacts);
};

type SubscriptionWork = Work<SubscriptionRequest, PlanKnown, Needs, ReadySubscription>;

const workOn =
  ({ store, planned = planSubscriptions }: SubscriptionApplyOptions) =>
  async (batch: readonly AcceptedRequest[]): Promise<SubscriptionWork> => {
    const days = await settingsOfAll(batch, store.outcomeDaysOf);
    const channelOf = await channelsOf(store, batch);
    return {
      daysOf: (ws) => days.get(ws),
      read: (request) => subscriptionRequest(request, channelOf),
      load: (session, requests) => load(store, session, requests),
      loadMore: (session, known, needs) => loadMore(store, session, known, needs),
      plan: (requests, known) => planned({ requests, known }),
      resultsOf: ({ outcomes }) => outcomes,
      write: (session, ready) => writePlan(store, session, ready),
    };
  };

export const createApply = (options: SubscriptionApplyOptions): Apply =>
  createBatch(options, workOn(options));
