/** GET /messages/scheduled_broadcasts, /messages/schedule/{id}, /sends/{dispatch_id} and /content_cards/{external_id}. */
import { type Messages, parseTime, present, publicReason, type QueryFor, Rejection } from '@roster/contract';
import { identityKey, nameIn } from '@roster/profile';
import {
  countsSoFar,
  deliveriesOf,
  expiryOf,
  externalIdsOf,
  type ScheduleDocument,
  type SendDocument,
  type Store,
} from '@roster/store';
import type { Read } from '../handler.ts';
import { queryTime, timeOf as shownTime } from '../stamp.ts';
import { mostCardDays } from './check.ts';
import { messagesOf, recipientsOf, scheduleIn } from './stored.ts';

const mostBroadcasts = 1000;

const typeOf = ({ in_local_time, at_optimal_time }: ScheduleDocument, zone: string): string => {
  if (in_local_time) return 'local_time_zones';
  return at_optimal_time ? 'intelligent_delivery' : zone;
};

/** Only local times have no zone. */
const nextSendTime = ({ in_local_time, at_optimal_time, time, due }: ScheduleDocument): string =>
  in_local_time || at_optimal_time ? time : (due?.toISOString() ?? time);

export const listBroadcasts: Read = async ({ ws, query }, { store, settingsOf }) => {
  const { end_time = '' } = (query ?? {}) as QueryFor<'messages.schedule_broadcasts'>;
  const end = queryTime(end_time);
  if (end === undefined) throw new Rejection('END_TIME_INVALID');
  const { messaging } = await settingsOf(ws);
  const found = await store.messages.schedules
    .find(
      { ws, broadcast: true, due: { $lte: new Date(end) } },
      { sort: { due: 1 }, limit: mostBroadcasts, projection: { messages: 0, recipients: 0 } },
    )
    .toArray();
  return {
    scheduled_broadcasts: found.map((schedule) => ({
      name: `Schedule ${schedule._id}`,
      id: schedule._id,
      type: 'Campaign',
      tags: [],
      next_send_time: nextSendTime(schedule),
      schedule_type: typeOf(schedule, messaging.time_zone),
    })),
    message: 'success',
  };
};

const readDeliveries = ({ messages }: Store, ws: string, dispatch: string) =>
  messages.deliveries.find({ ...deliveriesOf(dispatch), ws }).toArray();

const resultsOf = (deliveries: Awaited<ReturnType<typeof readDeliveries>>) =>
  Object.fromEntries(deliveries.map((one) => [one.channel, countsSoFar(one)]));

export const readSchedule: Read = async ({ ws, params }, { store }) => {
  const found = await store.messages.schedules.findOne({ _id: params?.id ?? '', ws });
  if (!found) throw new Rejection('SCHEDULE_UNKNOWN');
  return {
    schedule_id: found._id,
    dispatch_id: found.dispatch,
    state: found.state,
    ...(found.reason !== undefined && { reason: found.reason }),
    next_send_time: found.due?.toISOString() ?? null,
    schedule: scheduleIn(found),
    recipients: recipientsOf(found),
    messages: messagesOf(found),
    created_at: shownTime(found.created),
    changed_at: shownTime(found.changed),
    results: resultsOf(await readDeliveries(store, ws, found.dispatch)),
    message: 'success',
  };
};

const page = { shown: 100, looked: 1000 };

/** After the place of the cursor, in the order of channels and service ids. */
const spanOf = (dispatch: string, { channel, cursor }: QueryFor<'messages.sends.get'>) => {
  const prefix = channel ? `${dispatch}/${channel}/` : `${dispatch}/`;
  const after = cursor === undefined ? prefix : Buffer.from(cursor, 'base64url').toString();
  if (!after.startsWith(prefix)) throw new Rejection('SENDS_CURSOR_INVALID');
  // `0` follows `/`.
  return { $gt: after, $lt: `${prefix.slice(0, -1)}0` };
};

/** Texts of a template, and our own words, say why somebody was skipped. */
const reasonOf = ({ state, reason }: Pick<SendDocument, 'state' | 'reason'>): string | undefined =>
  reason === undefined || state === 'skipped' ? reason : publicReason(reason);

const shownRecipient = (row: SendDocument, externalId: string | undefined) => {
  const { profile, named, channel, state, provider, stored, at, due, tries } = row;
  return {
    external_id: externalId ?? null,
    service_id: profile || null,
    ...(named !== undefined && nameIn(named)),
    channel,
    state,
    ...present({ reason: reasonOf(row), provider_id: provider, stored }),
    at: at.toISOString(),
    ...(due && { due: due.toISOString(), tries }),
  };
};

export const readSends: Read = async ({ ws, params, query }, { store }) => {
  const dispatch = params?.dispatch_id ?? '';
  const asked = (query ?? {}) as QueryFor<'messages.sends.get'>;
  // Before its time, and once it is cancelled or missed, a schedule has no deliveries.
  const [deliveries, schedule] = await Promise.all([
    readDeliveries(store, ws, dispatch),
    store.messages.schedules.findOne({ dispatch, ws }, { projection: { state: 1, reason: 1 } }),
  ]);
  if (deliveries.length === 0 && !schedule) throw new Rejection('DISPATCH_UNKNOWN');
  const rows = await store.messages.sends
    .find(
      { _id: spanOf(dispatch, asked) },
      {
        sort: { _id: 1 },
        limit: asked.state ? page.looked : page.shown,
        projection: { outbox: 0, words: 0 },
      },
    )
    .toArray();
  const isShort = rows.length < (asked.state ? page.looked : page.shown);
  const wanted = rows.filter(({ state }) => !asked.state || state === asked.state);
  const shown = wanted.slice(0, page.shown);
  const last = wanted.length > shown.length ? shown.at(-1) : rows.at(-1);
  const hasMore = !isShort || wanted.length > shown.length;
  const externalIds = await externalIdsOf(store, shown);
  return {
    ...(schedule && present({ schedule_id: schedule._id, state: schedule.state, reason: schedule.reason })),
    results: resultsOf(deliveries),
    recipients: shown.map((row) => shownRecipient(row, externalIds.get(row.profile))),
    ...(hasMore && last && { cursor: Buffer.from(last._id).toString('base64url') }),
    message: 'success',
  };
};

/** Pinned ones are looked for among the last so many. */
const mostCards = { shown: 50, looked: 100 };

type Card = Partial<NonNullable<Messages['content_card']>>;

const endOf = ({ time_to_live, expire_at }: Card, at: Date): number => {
  const latest = expiryOf(at, mostCardDays).getTime();
  if (time_to_live !== undefined) return Math.min(at.getTime() + time_to_live * 1000, latest);
  return Math.min(expire_at === undefined ? latest : (parseTime(expire_at) ?? latest), latest);
};

/** Merged people keep the cards of both. */
const serviceIdsOf = async ({ identities, profiles }: Store, ws: string, id: string): Promise<string[]> => {
  const claim = await identities.findOne({ _id: identityKey(ws, { by: 'external_id', id }) });
  const found = claim && (await profiles.findOne({ _id: claim.profile }, { projection: { absorbed: 1 } }));
  return found ? [found._id, ...(found.absorbed ?? [])] : [];
};

const shownOf = ({ _id, at, outbox = '{}' }: SendDocument) => {
  const card = JSON.parse(outbox) as Card;
  return { id: _id, at, expires: endOf(card, at), card };
};

/** The cards that were sent to a person and are still shown. */
export const readCards: Read = async ({ ws, params }, { store }) => {
  const profiles = await serviceIdsOf(store, ws, params?.external_id ?? '');
  const rows = await store.messages.sends
    .find(
      { profile: { $in: profiles }, channel: 'content_card', state: 'sent' },
      { sort: { expires: -1 }, limit: mostCards.looked },
    )
    .toArray();
  const now = Date.now();
  const cards = rows
    .map(shownOf)
    .filter(({ expires }) => expires > now)
    .toSorted(
      (a, b) =>
        Number(b.card.pinned ?? false) - Number(a.card.pinned ?? false) || Number(b.at) - Number(a.at),
    )
    .slice(0, mostCards.shown);
  return {
    content_cards: cards.map(({ id, at: sent, expires, card }) => ({
      id,
      created_at: sent.toISOString(),
      expires_at: new Date(expires).toISOString(),
      card,
    })),
    message: 'success',
  };
};
