/** GET /subscription/history: the stored history of a person's consent, page by page. */
import { type HistoryAnswer, mostHistory, type QueryFor, Rejection } from '@roster/contract';
import { type ConsentChange, groupIn, type Identifier, newestFirst } from '@roster/profile';
import { requestId, stampToDate } from '@roster/queue';
import type { Secrets } from '@roster/secrets';
import type { ExportHandler } from './handler.ts';
import { emailIn, phoneIn } from './subscription-names.ts';

type HistoryChange = HistoryAnswer['changes'][number];

const identifiersIn = (query: QueryFor<'subscription.history'>): Identifier[] => {
  const { external_id, alias_label, alias_name, email, phone, service_id } = query;
  if ((alias_label === undefined) !== (alias_name === undefined)) return [];
  return [
    ...(external_id === undefined ? [] : [{ by: 'external_id' as const, id: external_id }]),
    ...(alias_label === undefined || alias_name === undefined
      ? []
      : [{ by: 'user_alias' as const, label: alias_label, name: alias_name }]),
    ...(email === undefined ? [] : [{ by: 'email' as const, email: emailIn(email) }]),
    ...(phone === undefined ? [] : [{ by: 'phone' as const, phone: phoneIn(phone) }]),
    ...(service_id === undefined ? [] : [{ by: 'service_id' as const, id: service_id }]),
  ];
};

const identifierIn = (query: QueryFor<'subscription.history'>): Identifier => {
  const [identifier, ...more] = identifiersIn(query);
  if (!identifier || more.length > 0) throw new Rejection('NOT_ONE_IDENTIFIER');
  return identifier;
};

type HistoryPlace = Pick<ConsentChange, 'at' | 'n' | 'k'>;

/** Where a change stands, so that what is added meanwhile moves no page. */
const cursorOf = ({ at, n, k }: HistoryPlace): string => Buffer.from(`${at}.${n}.${k}`).toString('base64url');

const placeIn = (cursor: string): HistoryPlace => {
  const [, at = '', n = '', k = ''] =
    /^(\d{1,16})\.(\d{1,16})\.(.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (k === '') throw new Rejection('CURSOR_INVALID');
  return { at: Number(at), n: Number(n), k };
};

const consentIn = (k: string): Pick<HistoryChange, 'consent' | 'subscription_group_id'> => {
  const group = groupIn(k);
  if (group !== undefined) return { consent: 'subscription_group', subscription_group_id: group };
  return { consent: k === 'push' ? 'push' : 'email' };
};

/** A page stands in the source behind the action and a colon: services/subscription/src/operations.ts. */
const sourceIn = (op: string): Pick<HistoryChange, 'operation' | 'preference_center_api_id'> => {
  const [operation = '', center] = op.split(':', 2);
  return { operation, ...(center !== undefined && { preference_center_api_id: center }) };
};

/** The id of a request says when it was accepted: so it can be made again. */
const shown = (ws: string, secret: Secrets, { k, from, to, at, op }: ConsentChange): HistoryChange => ({
  ...consentIn(k),
  from,
  to,
  accepted_at: stampToDate(at).toISOString(),
  request_id: requestId(secret, ws, at),
  ...(op !== undefined && sourceIn(op)),
});

export const subscriptionHistory: ExportHandler = async ({ ws, query }, { store, secret }) => {
  const asked = (query ?? {}) as QueryFor<'subscription.history'>;
  const { limit = mostHistory, cursor } = asked;
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const all = await store.consentHistory.find(ws, identifierIn(asked));
  if (!all) throw new Rejection('PERSON_UNKNOWN');
  const rest = after ? all.filter((one) => newestFirst(after, one) < 0) : all;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const body: HistoryAnswer = {
    changes: page.map((one) => shown(ws, secret, one)),
    ...(last && rest.length > limit && { next_cursor: cursorOf(last) }),
    message: 'success',
  };
  return { status: 200, body: JSON.stringify(body) };
};
