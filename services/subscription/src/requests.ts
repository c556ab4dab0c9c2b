/** Turns accepted requests into requests of the rules. */
import type { AcceptedRequest, SubscriptionSet } from '@roster/contract';
import type { SubscriptionRequest } from '@roster/profile';
import type { ChannelOf } from './channels.ts';
import { lineFor } from './operations.ts';

/** What a statement came from: the operation; or what the person did on the page of a preference center, a colon, and its id. */
const sourceOf = ({ op, body }: AcceptedRequest): string => {
  const { page } = (body ?? {}) as Partial<SubscriptionSet>;
  return page ? `${page.action}:${page.preference_center_api_id}` : op;
};

export const subscriptionRequest = (request: AcceptedRequest, channelOf: ChannelOf): SubscriptionRequest => {
  const { id, ws, at } = request;
  const statements = lineFor(request).statements(request, channelOf);
  return { id, ws, at, op: sourceOf(request), statements };
};
