/** GET /subscription/status/get. */
import { type QueryFor, Rejection } from '@roster/contract';
import { type Consent, contactKey, groupKey } from '@roster/profile';
import type { ExportHandler } from './handler.ts';
import { groupsOf, readStateOf } from './subscription-groups.ts';
import { type Addresses, keyOf, namesIn } from './subscription-names.ts';
import { createReading, type ReadingPeople } from './subscription-people.ts';

/** So many of the people who share a contact are read at a time, for their own states. */
const sharersAtOnce = 1000;

type Latest = Map<string, Consent>;

const keepLatest = (latest: Latest, name: string, consent: Consent | undefined): void => {
  const known = latest.get(name);
  if (consent && (!known || consent.at > known.at)) latest.set(name, consent);
};

const ofPeople = async (people: ReadingPeople, ws: string, names: readonly string[], k: string) => {
  const found = await people.byExternalIds(ws, names);
  return names.map((name) => [name, found.get(name)?.effective.find((one) => one.k === k)] as const);
};

/** What was last said of the contact; where nothing ever was, the state of those who have it. */
const ofContacts = async (people: ReadingPeople, ws: string, { by, names }: Addresses, k: string) => {
  const latest: Latest = new Map();
  const identityOf = (name: string): string => contactKey(ws, by, name);
  const of = (consents: readonly Consent[]) => consents.find((one) => one.k === k);
  const said = await people.saidOf(names.map(identityOf));
  for (const name of names) keepLatest(latest, keyOf(by, name), of(said.get(identityOf(name)) ?? []));
  const unsaid = names.filter((name) => !latest.has(keyOf(by, name)));
  for await (const page of people.pagesByAddresses(ws, { by, names: unsaid }, sharersAtOnce))
    for (const { email_key, phone_key, effective } of page)
      keepLatest(latest, (by === 'email' ? email_key : phone_key) ?? '', of(effective));
  return names.map((name) => [name, latest.get(keyOf(by, name))] as const);
};

export const subscriptionStatusGet: ExportHandler = async ({ ws, query }, { store }) => {
  const asked = query as QueryFor<'subscription.status.get'>;
  const id = asked.subscription_group_id;
  const group = (await groupsOf(store, ws)).find((one) => one.id === id);
  if (!group) throw new Rejection('SUBSCRIPTION_GROUP_UNKNOWN');
  const k = groupKey(id, group.channel);
  const { by, names } = namesIn(asked);
  const people = createReading(store);
  const found =
    by === 'external_id'
      ? await ofPeople(people, ws, names, k)
      : await ofContacts(people, ws, { by, names }, k);
  const status = Object.fromEntries(found.map(([name, consent]) => [name, readStateOf(consent)]));
  return { status: 200, body: JSON.stringify({ status, message: 'success' }) };
};
