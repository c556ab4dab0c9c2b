/** Writes some people as they are at the moment of the export: identifiers, attributes, consent, events and purchases. */
import { contactKeysOf, type Profile, statesOf } from '@roster/profile';
import type { EventRow, Moment, PurchaseRow, Store } from '@roster/store';
import type { JsonObject } from '../json.ts';
import { eventLine, nameOf, purchaseLine, userLines } from './lines.ts';
import { type Pass, ruleOf } from './passes.ts';
import { leave, leaveOut, type Tally } from './tally.ts';

export interface Writing {
  store: Store;
  ws: string;
  moment: Moment;
  tally: Tally;
  write(text: string): Promise<void>;
}

const keysOf = (one: Partial<Profile>, pass: Pass): readonly string[] => {
  const { place } = ruleOf[pass];
  return place ? [one[place] ?? []].flat() : [];
};

/** By key, the first person of this pass who has it: it is theirs. */
const readFirst = async (
  { store, ws, moment }: Writing,
  people: readonly Profile[],
  pass: Pass,
): Promise<Map<string, string>> => {
  const { place, filter } = ruleOf[pass];
  const keys = people.flatMap((one) => keysOf(one, pass));
  if (!place || keys.length === 0) return new Map();
  const found = store.profiles.find<Pick<Profile, '_id' | 'token_keys' | 'email_key' | 'phone_key'>>(
    { ws, ...filter, [place]: { $in: keys } },
    { ...moment, projection: { [place]: 1 }, sort: { _id: 1 } },
  );
  const first = new Map<string, string>();
  for await (const one of found)
    for (const key of keysOf(one, pass)) if (!first.has(key)) first.set(key, one._id);
  return first;
};

const travelling = async (writing: Writing, people: readonly Profile[], pass: Pass): Promise<Profile[]> => {
  const first = await readFirst(writing, people, pass);
  return people.filter((one) => {
    const keys = keysOf(one, pass);
    if (pass === 'tokens' && keys.length === 0) leave(writing.tally, one._id, 'no_identifier');
    // A person may have tokens of another person, if one token is their own.
    const shared = keys.filter((key) => first.get(key) !== one._id).length;
    const isTheirs = keys.length === 0 ? pass !== 'tokens' : shared < keys.length;
    if (isTheirs) leaveOut(writing.tally, 'push tokens that another person has too', shared);
    else if (keys.length > 0) leave(writing.tally, one._id, 'shared_identifier');
    return isTheirs;
  });
};

const writeUsers = async (writing: Writing, people: readonly Profile[]): Promise<void> => {
  const contacts = await writing.store.contactConsents.read(people.flatMap(contactKeysOf), writing.moment);
  for (const one of people) {
    const seen = { profile: one, consents: statesOf(one, contacts) };
    for (const text of userLines(seen, one.former_ids)) await writing.write(text);
    writing.tally.people += 1;
  }
};

/** The owners of the occurrences: each service id, and the name of its person. */
const namesOf = (people: readonly Profile[]): Map<string, JsonObject> =>
  new Map(
    people.flatMap((one) => {
      const name = nameOf(one);
      return name ? [one._id, ...(one.absorbed ?? [])].map((id) => [id, name] as const) : [];
    }),
  );

const writeOccurrences = async (writing: Writing, people: readonly Profile[]): Promise<void> => {
  const { store, moment, tally, write } = writing;
  const names = namesOf(people);
  if (names.size === 0) return;
  const each = async <Row extends { profile: string }>(
    rows: AsyncIterable<Row>,
    kind: 'events' | 'purchases',
    lineOf: (row: Row, name: JsonObject) => string,
  ): Promise<void> => {
    for await (const row of rows) {
      const name = names.get(row.profile);
      if (!name) continue;
      await write(lineOf(row, name));
      tally[kind] += 1;
    }
  };
  const theirs = [...names.keys()];
  await each<EventRow>(store.events.of(theirs, moment), 'events', eventLine);
  await each<PurchaseRow>(store.purchases.of(theirs, moment), 'purchases', purchaseLine);
};

/** Counts occurrences that cannot be written any more, or not for these people. */
const countLostOccurrences = async (writing: Writing, people: readonly Profile[]): Promise<void> => {
  const { store, moment, tally } = writing;
  const ids = people.flatMap(({ _id, absorbed = [] }) => [_id, ...absorbed]);
  if (ids.length === 0) return;
  const rolledUp = await store.totals.countsOf(ids, moment);
  leaveOut(tally, 'events that were rolled up', rolledUp.events);
  leaveOut(tally, 'purchases that were rolled up', rolledUp.purchases);
  const nameless = people.filter((one) => !nameOf(one)).map(({ _id }) => _id);
  if (nameless.length === 0) return;
  leaveOut(tally, 'events of push tokens', await store.events.count(nameless, moment));
  leaveOut(tally, 'purchases of push tokens', await store.purchases.count(nameless, moment));
};

export const writePeople = async (
  writing: Writing,
  people: readonly Profile[],
  pass: Pass,
): Promise<void> => {
  const all = await travelling(writing, people, pass);
  await writeUsers(writing, all);
  await writeOccurrences(writing, all);
  await countLostOccurrences(writing, all);
};
