// What is stored and told at the end, against what was said.
import type { Client } from '../../harness/client.ts';
import { eachOf } from '../../harness/wait.ts';
import { callers, inParts } from './pace.ts';
import { type Group, groups, type Person, type State } from './roads.ts';

export interface Said {
  /** When it was accepted, as its id says. */
  at: number;
  state: State;
  request: string;
}

/** What was said to each person, by group. */
export type Book = Map<string, Said[]>;

export const placeOf = (person: Person, group: Group): string => `${person.id} ${group}`;

export const stampOf = (request: string): number =>
  Number.parseInt(request.slice(1, request.indexOf('-')), 36);

const read = async (client: Client, path: string): Promise<Record<string, unknown>> => {
  const { status, body } = await client.call({ method: 'GET', path, timeoutMs: 15_000 });
  if (status !== 200)
    throw new Error(`${path.split('?', 1)[0]} was answered ${status}: ${body.slice(0, 200)}`);
  return JSON.parse(body) as Record<string, unknown>;
};

export const stored = async (
  client: Client,
  people: readonly Person[],
  group: Group,
): Promise<Map<string, string>> => {
  const states = new Map<string, string>();
  await eachOf(inParts(people, 50), callers, async (some) => {
    const query = some.map(({ id }) => `external_id[]=${id}`).join('&');
    const found = await read(client, `/subscription/status/get?subscription_group_id=${group}&${query}`);
    for (const [id, state] of Object.entries(found.status as Record<string, string>))
      states.set(id, state.toLowerCase());
  });
  return states;
};

const lastOf = (said: readonly Said[] = []): Said | undefined =>
  said.reduce<Said | undefined>((last, one) => (!last || one.at > last.at ? one : last), undefined);

export const wrongStates = async (
  client: Client,
  people: readonly Person[],
  book: Book,
): Promise<string[]> => {
  const wrong: string[] = [];
  for (const group of groups) {
    const states = await stored(client, people, group);
    for (const person of people) {
      const last = lastOf(book.get(placeOf(person, group)));
      const wanted = last?.state ?? 'unknown';
      const found = states.get(person.id);
      if (found !== wanted)
        wrong.push(`${placeOf(person, group)}: ${found} instead of ${wanted}, said by ${last?.request}`);
    }
  }
  return wrong;
};

interface Change {
  subscription_group_id: string;
  from: string | null;
  to: string | null;
  request_id: string;
}

/** Oldest first. */
const historyOf = async (client: Client, { id }: Person): Promise<Change[]> =>
  ((await read(client, `/subscription/history?external_id=${id}`)).changes as Change[]).toReversed();

/** The statements one after the other, those together that repeat each other: each of these is one change. */
const runsIn = (said: readonly Said[]): { state: State; requests: Set<string> }[] => {
  const runs: { state: State; requests: Set<string> }[] = [];
  for (const { state, request } of said.toSorted((a, b) => a.at - b.at)) {
    const last = runs.at(-1);
    if (last?.state === state) last.requests.add(request);
    else runs.push({ state, requests: new Set([request]) });
  }
  return runs;
};

/** Every change, and nothing else. One that turned out to be one only later is told by a statement that repeats it. */
const gapsIn = (changes: readonly Change[], said: readonly Said[] = []): string[] => {
  const runs = runsIn(said);
  if (changes.length !== runs.length) return [`has ${changes.length} changes instead of ${runs.length}`];
  return changes.flatMap(({ from, to, request_id }, index) => {
    const run = runs[index];
    if (from !== (changes[index - 1]?.to ?? null)) return ['does not begin where the one before ended'];
    if (to !== run?.state) return [`tells of ${to} instead of ${run?.state}`];
    return run.requests.has(request_id) ? [] : ['tells of what nobody said'];
  });
};

export const wrongHistories = async (client: Client, people: readonly Person[], book: Book) => {
  const wrong: string[] = [];
  let changes = 0;
  await eachOf(people, callers, async (person) => {
    const all = await historyOf(client, person);
    changes += all.length;
    for (const group of groups) {
      const some = all.filter((change) => change.subscription_group_id === group);
      for (const gap of gapsIn(some, book.get(placeOf(person, group))))
        wrong.push(`the history of ${placeOf(person, group)} ${gap}`);
    }
  });
  return { wrong, changes };
};

export const inShort = (what: string, wrong: readonly string[]): string[] =>
  wrong.length === 0 ? [] : [`${wrong.length} ${what}, for example ${wrong.slice(0, 3).join('; ')}`];
