/** From what the judge accepted to the statements of the rules. This is the one place that believes the body. */
import type { AcceptedRequest, SubscriptionSet, SubscriptionSetGroup } from '@roster/contract';
import type { Statement, SubscriptionRequest } from '@roster/profile';
import type { ChannelOf } from './channels.ts';

const arrays = ['external_ids', 'emails', 'phones'] as const;

const statementsIn = (sent: SubscriptionSetGroup, channel: Statement['channel']): Statement[] =>
  arrays.flatMap((array) =>
    (sent[array] ?? []).map((name) => ({
      array,
      name,
      group: sent.subscription_group_id,
      state: sent.subscription_state,
      channel,
    })),
  );

export const subscriptionRequest = (
  { id, ws, at, op, body }: AcceptedRequest,
  channelOf: ChannelOf,
): SubscriptionRequest => {
  const { subscription_groups = [] } = (body ?? {}) as Partial<SubscriptionSet>;
  const statements = subscription_groups.flatMap((sent) =>
    statementsIn(sent, channelOf(ws, sent.subscription_group_id)),
  );
  return { id, ws, at, op, statements };
};
