/** Turns accepted requests into requests of the rules. */
import type { AcceptedRequest } from '@roster/contract';
import type { SubscriptionRequest } from '@roster/profile';
import type { ChannelOf } from './channels.ts';
import { lineFor } from './operations.ts';

export const subscriptionRequest = (request: AcceptedRequest, channelOf: ChannelOf): SubscriptionRequest => {
  const { id, ws, at, op } = request;
  return { id, ws, at, op, statements: lineFor(request).statements(request, channelOf) };
};
