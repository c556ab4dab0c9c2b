// What is stored and told at the end, against what was said.
import type { Client } from '../../harness/client.ts';
import { inParts } from '../../harness/parts.ts';
import { eachOf } from '../../harness/wait.ts';
import type { Model, Change as Wanted } from './model.ts';
import { type Group, groups, type Person } from './roads.ts';

/** At once. */
export const callers = 8;

const placeOf = (person: Person, group: Group): string => `${person.id} ${group}`;

/** When it was accepted, as its id says. */
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

export const wrongStates = async (
  client: Client,
  people: readonly Person[],
  model: Model,
): Promise<string[]> => {
  const wrong: string[] = [];
  for (const group of groups) {
    const states = await stored(client, people, group);
    for (const person of people) {
      const wanted = model.stateOf(person.id, group) ?? 'unknown';
      const found = states.get(person.id);
      if (found !== wanted) wrong.push(`${placeOf(person, group)}: ${found} instead of ${wanted}`);
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

/** Every change, by the request that made it, and nothing else. */
const gapsIn = (changes: readonly Change[], wanted: readonly Wanted[]): string[] => {
  if (changes.length !== wanted.length) return [`has ${changes.length} changes instead of ${wanted.length}`];
  return changes.flatMap(({ from, to, request_id }, index) => {
    const { to: state, request } = wanted[index] ?? {};
    if (from !== (changes[index - 1]?.to ?? null)) return ['does not begin where the one before ended'];
    if (to !== state) return [`tells of ${to} instead of ${state}`];
    return request_id === request ? [] : [`tells of ${request_id} instead of ${request}`];
  });
};

export const wrongHistories = async (client: Client, people: readonly Person[], model: Model) => {
  const wrong: string[] = [];
  let changes = 0;
  await eachOf(people, callers, async (person) => {
    const all = await historyOf(client, person);
    changes += all.length;
    for (const group of groups) {
      const some = all.filter((change) => change.subscription_group_id === group);
      for (const gap of gapsIn(some, model.changesOf(person.id, group)))
        wrong.push(`the history of ${placeOf(person, group)} ${gap}`);
    }
  });
  return { wrong, changes };
};

export const inShort = (what: string, wrong: readonly string[]): string[] =>
  wrong.length === 0 ? [] : [`${wrong.length} ${what}, for example ${wrong.slice(0, 3).join('; ')}`];
