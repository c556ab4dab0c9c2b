/** The work of this worker for each operation of its queue. An operation without a line does not compile. */
import {
  type AcceptedRequest,
  lineOf,
  type OperationsOf,
  type SubscriptionSet,
  type SubscriptionSetGroup,
} from '@roster/contract';
import type { NamedStatement, SubscriptionRequest } from '@roster/profile';
import type { Store } from '@roster/store';

type StatementChannel = NamedStatement['channel'];

type ChannelOf = (ws: string, group: string) => StatementChannel;

interface StoredSettings {
  id: string;
  subscription_groups?: { id: string; channel: StatementChannel }[];
}

/** Whether a group is one of emails or of text messages, by the current settings of the workspaces of a batch. A removed group may have been one of emails: then a statement counts for more people, not for fewer. */
export const channelsOf = async (
  { workspaces }: Pick<Store, 'workspaces'>,
  requests: readonly { ws: string }[],
): Promise<ChannelOf> => {
  const texts = new Map<string, Set<string>>();
  for (const ws of new Set(requests.map((request) => request.ws))) {
    const groups = (await workspaces.get<StoredSettings>(ws))?.subscription_groups ?? [];
    texts.set(ws, new Set(groups.filter(({ channel }) => channel === 'sms').map(({ id }) => id)));
  }
  return (ws, group) => (texts.get(ws)?.has(group) ? 'sms' : 'email');
};

const arrays = ['external_ids', 'service_ids', 'emails', 'phones'] as const;

const statementsIn = (sent: SubscriptionSetGroup, ws: string, channelOf: ChannelOf): NamedStatement[] => {
  const { subscription_group_id: group, subscription_state: state } = sent;
  const channel = group === undefined ? 'email' : channelOf(ws, group);
  const said = { ...(group !== undefined && { group }), state, channel };
  return arrays.flatMap((array) => (sent[array] ?? []).map((name) => ({ array, name, ...said })));
};

const success = { message: 'success' };

/** The body of the answer after the request was applied. */
const answers: { readonly [Id in OperationsOf<'subscription'>]: object } = {
  'subscription.status.set': success,
  'subscription.status.set.v2': success,
};

/** The answer of the operation. Throws for an operation that only another version knows. */
export const resultOf = ({ op }: AcceptedRequest): object => lineOf(answers, op);

/** The request, as the rules take it. The ingress has judged the body: only this function trusts its type. */
export const subscriptionRequest = (
  { id, ws, at, op, body }: AcceptedRequest,
  channelOf: ChannelOf,
): SubscriptionRequest => {
  lineOf(answers, op);
  const { subscription_groups = [], page, phone = op } = (body ?? {}) as Partial<SubscriptionSet>;
  const statements = subscription_groups.flatMap((sent) => statementsIn(sent, ws, channelOf));
  // What a person did on the page of a preference center, or answered to a text message, has its own source.
  const source = page ? `${page.action}:${page.preference_center_api_id}` : phone;
  return { id, ws, at, op: source, statements };
};
