/** Writes some people as they are at the moment of the export: identifiers, attributes, consent, events and purchases. */
import { contactKeysOf, type Profile, statesOf, visible } from '@roster/profile';
import { type Pass, ruleOf } from './passes.ts';
import { leave, leaveOut } from './tally.ts';
import { userLines } from './user-lines.ts';
import { countLostOccurrences, type Writing, writeOccurrences } from './write-occurrences.ts';

/** By key, the first person of this pass who has it: it is theirs. */
const readFirst = async (
  { store, ws, moment }: Writing,
  people: readonly Profile[],
  pass: Pass,
): Promise<Map<string, string>> => {
  const { place, filter, keys: keysOf } = ruleOf[pass];
  const keys = people.flatMap(keysOf);
  if (!place || keys.length === 0) return new Map();
  const found = store.profiles.find<Pick<Profile, '_id' | 'token_keys' | 'email_key' | 'phone_key'>>(
    { ws, ...filter, [place]: { $in: keys } },
    { ...moment, projection: { [place]: 1 }, sort: { _id: 1 } },
  );
  const first = new Map<string, string>();
  for await (const { _id, [place]: value } of found)
    for (const key of [value ?? []].flat()) if (!first.has(key)) first.set(key, _id);
  return first;
};

const travelling = async (writing: Writing, people: readonly Profile[], pass: Pass): Promise<Profile[]> => {
  const first = await readFirst(writing, people, pass);
  return people.filter((one) => {
    const keys = ruleOf[pass].keys(one);
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
    const seen = { profile: visible(one, statesOf(one, contacts)) };
    for (const text of userLines(seen, one.former_ids)) await writing.write(text);
    writing.tally.people += 1;
  }
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
