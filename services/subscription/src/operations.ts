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

interface SubscriptionLine {
  /** The statements in the body of a request. */
  readonly statements: (request: AcceptedRequest, channelOf: ChannelOf) => NamedStatement[];
  /** The body of the answer after the request was applied. */
  readonly result: object;
}

const arrays = ['external_ids', 'service_ids', 'emails', 'phones'] as const;

const statementsIn = (sent: SubscriptionSetGroup, channel: NamedStatement['channel']): NamedStatement[] =>
  arrays.flatMap((array) =>
    (sent[array] ?? []).map((name) => ({
      array,
      name,
      ...(sent.subscription_group_id !== undefined && { group: sent.subscription_group_id }),
      state: sent.subscription_state,
      channel,
    })),
  );

/** The ingress has judged the body: only this file trusts its type. */
const statesSet: SubscriptionLine['statements'] = ({ ws, body }, channelOf) => {
  const { subscription_groups = [] } = (body ?? {}) as Partial<SubscriptionSet>;
  return subscription_groups.flatMap((sent) => {
    const { subscription_group_id: group } = sent;
    return statementsIn(sent, group === undefined ? 'email' : channelOf(ws, group));
  });
};

const success = { message: 'success' };

const lines: { readonly [Id in OperationsOf<'subscription'>]: SubscriptionLine } = {
  'subscription.status.set': { statements: statesSet, result: success },
  'subscription.status.set.v2': { statements: statesSet, result: success },
};

const lineFor = ({ op }: AcceptedRequest): SubscriptionLine => lineOf(lines, op);

/** The answer of the operation. */
export const resultOf = (request: AcceptedRequest): object => lineFor(request).result;

/** What a statement came from: the operation; or what the person did on the page of a preference center, a colon, and its id. */
const sourceOf = ({ op, body }: AcceptedRequest): string => {
  const { page } = (body ?? {}) as Partial<SubscriptionSet>;
  return page ? `${page.action}:${page.preference_center_api_id}` : op;
};

/** The request, as the rules take it. */
export const subscriptionRequest = (request: AcceptedRequest, channelOf: ChannelOf): SubscriptionRequest => {
  const { id, ws, at } = request;
  const statements = lineFor(request).statements(request, channelOf);
  return { id, ws, at, op: sourceOf(request), statements };
};
