/** GET /subscription/user/status. */
import { mostUsers, type QueryFor } from '@roster/contract';
import { groupKey } from '@roster/profile';
import type { ExportHandler } from './handler.ts';
import { groupsOf, readStateOf, type SubscriptionGroup } from './subscription-groups.ts';
import { type Names, namesIn } from './subscription-names.ts';
import {
  createReading,
  type PageRange,
  type ReadingPeople,
  type SubscriptionPerson,
} from './subscription-people.ts';

const shown = (person: SubscriptionPerson, groups: readonly SubscriptionGroup[]) => {
  const { fields, external_id = null, effective } = person;
  const recorded = groups.flatMap((group) => {
    const consent = effective.find(({ k, v }) => k === groupKey(group.id, group.channel) && v !== null);
    const { id, name, channel } = group;
    return consent ? [{ id, name, channel, status: readStateOf(consent) }] : [];
  });
  return {
    email: fields.email?.v ?? null,
    phone: fields.phone?.v ?? null,
    external_id,
    subscription_groups: recorded,
  };
};

/** A person who is named twice is listed once. */
const pageOf = async (
  people: ReadingPeople,
  ws: string,
  { by, names }: Names,
  { skip, limit }: PageRange,
): Promise<{ page: SubscriptionPerson[]; total: number }> => {
  if (by !== 'external_id') {
    const asked = { by, names };
    return {
      page: await people.byAddresses(ws, asked, { skip, limit }),
      total: await people.count(ws, asked),
    };
  }
  const found = await people.byExternalIds(ws, names);
  const all = [...new Map([...found.values()].map((person) => [person._id, person])).values()];
  const sorted = all.toSorted((a, b) => (a._id < b._id ? -1 : 1));
  return { page: sorted.slice(skip, skip + limit), total: all.length };
};

export const subscriptionUserStatus: ExportHandler = async ({ ws, query }, { store }) => {
  const sent = (query ?? {}) as QueryFor<'subscription.user.status'>;
  const { limit = mostUsers, offset: skip = 0, ...asked } = sent;
  const names = namesIn(asked);
  const { page, total } = await pageOf(createReading(store), ws, names, { skip, limit });
  const groups = await groupsOf(store, ws);
  const users = page.map((person) => shown(person, groups));
  return { status: 200, body: JSON.stringify({ users, total_count: total, message: 'success' }) };
};
