/** The parts of a batch (packages/batch) that belong to subscriptions: bodies, rule and writes. */
import {
  type Apply,
  type BatchApplyOptions as BatchOptions,
  createApply as createBatch,
  type Work,
} from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import {
  type Needs,
  type PlanKnown,
  planSubscriptions,
  type SubscriptionPlan,
  type SubscriptionRequest,
} from '@roster/profile';
import { settingsOfAll } from '@roster/store';
import { channelsOf } from './channels.ts';
import { load, loadMore } from './load.ts';
import { subscriptionRequest } from './requests.ts';
import { writePlan } from './write.ts';

export type { Apply } from '@roster/batch';

export interface SubscriptionApplyOptions extends BatchOptions {
  /** A fault test replaces it, to see that the test would notice its absence. */
  planned?: typeof planSubscriptions;
}

type ReadySubscription = Extract<SubscriptionPlan, { ready: true }>;
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
  createBatch({ ...options, workFor: workOn(options) });
