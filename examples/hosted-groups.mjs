// Adds the subscription groups of people to the lines of their export, in the file itself: lines that have them stay as they are.
import { appendFileSync, createReadStream, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseExact, stringifyExact } from '@roster/contract';
import { ask, firstWords } from './hosted-requests.mjs';

/** Of a request, whose address must not get too long for a proxy. */
const namesMax = 50;
const lettersMax = 6_000;
const pageMax = 100;
/** People who share an email or a phone are listed one by one. */
const pagesMax = 10_000;
const linesAtOnce = 500;

const counts = { people: 0, groups: 0, nameless: 0, refused: 0 };

/** How a kind of name is compared. */
const kinds = {
  external_id: (name) => String(name).toWellFormed(),
  email: (name) => String(name).toWellFormed().trim().toLowerCase(),
  phone: (name) => `+${String(name).replace(/\D/g, '')}`,
};

const pageIn = (text) => {
  try {
    const { users, total_count = users.length } = parseExact(text);
    if (Array.isArray(users)) return { users, total: Number(total_count) };
  } catch {}
  throw new Error(`HOSTED_URL did not answer with subscription groups: ${firstWords(text)}`);
};

/** Each of the people who have one of these names, with their groups. */
const peopleBy = async (kind, names) => {
  const found = [];
  const query = names.map((name) => `${kind}[]=${encodeURIComponent(name)}`).join('&');
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await ask(`/subscription/user/status?${query}&limit=${pageMax}&offset=${page * pageMax}`);
    const { users, total } = pageIn(await answer.text());
    found.push(...users);
    if (users.length === 0 || (page + 1) * pageMax >= total) return found;
  }
  throw new Error(`more than ${pageMax * pagesMax} people have one ${kind}`);
};

/** One name that is refused there, as a phone of another form, takes no others with it. */
const knownBy = async (kind, names) => {
  try {
    return await peopleBy(kind, names);
  } catch (error) {
    if (error.status !== 400 && error.status !== 414) throw error;
    if (names.length === 1) {
      counts.refused += 1;
      return [];
    }
    const half = names.length >> 1;
    return [...(await knownBy(kind, names.slice(0, half))), ...(await knownBy(kind, names.slice(half)))];
  }
};

const requestsOf = (names) => {
  const requests = [[]];
  let letters = 0;
  for (const name of names) {
    const more = encodeURIComponent(name).length + 20;
    if (requests.at(-1).length === namesMax || (requests.at(-1).length > 0 && letters + more > lettersMax)) {
      requests.push([]);
      letters = 0;
    }
    requests.at(-1).push(name);
    letters += more;
  }
  return requests;
};

/** An external id is one person. An email or a phone may be that of others, who have an external id. */
const namesOf = ({ external_id, email, phone }) => {
  if (external_id != null) return [['external_id', external_id]];
  return [
    ['email', email],
    ['phone', phone],
  ].filter(([, name]) => typeof name === 'string' && name !== '');
};

const keyOf = (kind, name) => `${kind} ${kinds[kind](name)}`;

const isState = (state) => state === 'subscribed' || state === 'unsubscribed';

/** Of two states of a group, as two people with one email may have, the one without messages holds. */
const addTo = (groups, { subscription_groups = [] }) => {
  for (const { id, status } of subscription_groups ?? []) {
    const state = String(status).toLowerCase();
    if (typeof id === 'string' && isState(state) && groups.get(id) !== 'unsubscribed') groups.set(id, state);
  }
};

/** By the names of people; what was not found is empty. */
const groupsOf = async (people) => {
  const groups = new Map(people.flatMap(namesOf).map(([kind, name]) => [keyOf(kind, name), new Map()]));
  for (const kind of Object.keys(kinds)) {
    const all = people.flatMap(namesOf).flatMap(([one, name]) => (one === kind ? kinds[kind](name) : []));
    const names = [...new Set(all)];
    if (names.length === 0) continue;
    for (const some of requestsOf(names))
      for (const user of await knownBy(kind, some)) {
        const of = groups.get(keyOf(kind, user[kind] ?? ''));
        if (of && (kind === 'external_id' || user.external_id == null)) addTo(of, user);
      }
  }
  return groups;
};

/** A line that is no person is the import's to tell. */
const personIn = (line) => {
  try {
    const person = parseExact(line);
    return typeof person === 'object' && person !== null && !Array.isArray(person) ? person : undefined;
  } catch {
    return undefined;
  }
};

const withGroups = (person, groups) => {
  const own = new Map();
  for (const [kind, name] of namesOf(person))
    for (const [id, state] of groups.get(keyOf(kind, name)) ?? [])
      if (own.get(id) !== 'unsubscribed') own.set(id, state);
  counts.people += 1;
  counts.groups += own.size;
  return { ...person, subscription_groups: [...own].map(([id, state]) => ({ id, state })) };
};

const isOpen = (person) => person !== undefined && person.subscription_groups == null;

const linesWithGroups = async (lines) => {
  const people = lines.map(personIn);
  const open = people.filter(isOpen);
  const groups = await groupsOf(open);
  counts.nameless += open.filter((person) => namesOf(person).length === 0).length;
  return lines.map((line, place) => {
    const person = people[place];
    const isAsked = isOpen(person) && namesOf(person).length > 0;
    return isAsked ? stringifyExact(withGroups(person, groups)) : line;
  });
};

/** Not by `readline`, which ends a line at U+2028 as well. Throws for bytes that are no UTF-8: nothing is lost. */
async function* linesIn(file) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (...bytes) => {
    try {
      return decoder.decode(...bytes);
    } catch {
      throw new Error(`${file} is not UTF-8: give it the lines of the export, unzipped`);
    }
  };
  let rest = '';
  for await (const chunk of createReadStream(file, { highWaterMark: 1_000_000 })) {
    const lines = (rest + decoded(chunk, { stream: true })).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  rest += decoded();
  if (rest !== '') yield rest;
}

/** After a failure the rest of the lines stay as they are, and another run goes on with them. */
const written = async (file, part) => {
  let failure;
  let lines = [];
  const write = async () => {
    const changed = await (failure
      ? lines
      : linesWithGroups(lines).catch((error) => {
          failure = error;
          return lines;
        }));
    appendFileSync(part, changed.map((line) => `${line}\n`).join(''));
    lines = [];
  };
  writeFileSync(part, '');
  for await (const line of linesIn(file)) {
    lines.push(line);
    if (lines.length === linesAtOnce) await write();
  }
  await write();
  return failure;
};

const told = (file, { message, status }) =>
  status === 401 || status === 403
    ? `No groups: HOSTED_KEY lacks the permission subscription.groups.get (${message}).
Import ${file} without them, or run this again with a key that has it.`
    : `${message}
For the others: node examples/hosted-export.mjs --groups ${file}`;

/** People come in without their groups, if the key may not read them. */
export const addGroups = async (file) => {
  const part = `${file}.part`;
  try {
    const failure = await written(file, part);
    renameSync(part, file);
    console.error(`${counts.people} people have their subscription groups, ${counts.groups} in all.`);
    if (counts.nameless > 0)
      console.error(`${counts.nameless} have no external id, email or phone: nothing can ask for theirs.`);
    if (counts.refused > 0)
      console.error(`${counts.refused} names were refused there: these people come without groups.`);
    if (failure) console.error(told(file, failure));
    if (failure && failure.status !== 401 && failure.status !== 403) process.exitCode = 1;
  } finally {
    rmSync(part, { force: true });
  }
};
