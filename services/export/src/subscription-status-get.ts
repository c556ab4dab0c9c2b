/** field-facts 2.9: GET /subscription/status/get. */
import { type AcceptedRequest, Rejection, type StatusQuery } from '@roster/contract';
import { type Consent, groupKey, identityKey } from '@roster/profile';
import type { Reply } from '@roster/queue';
import type { Tools } from './handler.ts';
import { groupsOf, readStateOf } from './subscription-groups.ts';
import { createReading, keyOf, type Names, namesIn, type ReadingPeople } from './subscription-people.ts';

/** Of so many of those who share an address it is looked at what they said themselves. */
const mostSharers = 1000;

const latest = (all: readonly (Consent | undefined)[]): Consent | undefined =>
  all.reduce((last, one) => (one && (!last || one.at > last.at) ? one : last), undefined);

const ofPeople = async (people: ReadingPeople, ws: string, names: readonly string[], k: string) => {
  const found = await people.byExternalIds(ws, names);
  return names.map((name) => [name, found.get(name)?.effective.find((one) => one.k === k)] as const);
};

/** What was last said about the address, or by somebody who has it. */
const ofAddresses = async (
  people: ReadingPeople,
  ws: string,
  { by, names }: Names & { by: 'email' | 'phone' },
  k: string,
) => {
  const said = await people.saidOf(
    names.map((name) => identityKey(ws, by === 'email' ? { by, email: name } : { by, phone: name })),
  );
  const sharers = await people.byAddresses(ws, { by, names }, { skip: 0, limit: mostSharers });
  return names.map((name) => {
    const key = keyOf(by, name);
    const theirs = sharers.filter((one) => (by === 'email' ? one.email_key : one.phone_key) === key);
    const about = said.get(identityKey(ws, by === 'email' ? { by, email: name } : { by, phone: name })) ?? [];
    const all = [...about, ...theirs.flatMap(({ effective }) => effective)];
    return [name, latest(all.filter((one) => one.k === k))] as const;
  });
};

export const subscriptionStatusGet = async (
  { ws, query }: AcceptedRequest,
  { store }: Tools,
): Promise<Reply> => {
  const asked = query as StatusQuery;
  const id = asked.subscription_group_id;
  if (!(await groupsOf(store, ws)).some((group) => group.id === id))
    throw new Rejection('SUBSCRIPTION_GROUP_UNKNOWN');
  const { by, names } = namesIn(asked);
  const people = createReading(store);
  const found =
    by === 'external_id'
      ? await ofPeople(people, ws, names, groupKey(id))
      : await ofAddresses(people, ws, { by, names }, groupKey(id));
  const status = Object.fromEntries(found.map(([name, consent]) => [name, readStateOf(consent)]));
  return { status: 200, body: JSON.stringify({ status, message: 'success' }) };
};
