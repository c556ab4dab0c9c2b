// What is stored and told at the end, against what was said.
import {
  type ConsentGroup as Group,
  consentGroups as groups,
  type ConsentModel as Model,
  type ConsentPerson as Person,
  type ConsentChange as Wanted,
} from '@roster/testkit';
import type { Client } from '../../harness/client.ts';
import { eachOf, inParts } from '../../harness/wait.ts';

/** At once. */
export const callers = 8;

const placeOf = (person: Person, group: Group): string => `${person.id} ${group}`;

export const stored = async (
  client: Client,
  people: readonly { id: string }[],
  group: Group,
): Promise<Map<string, string>> => {
  const states = new Map<string, string>();
  await eachOf(inParts(people, 50), callers, async (some) => {
    const asked = { subscription_group_id: group, external_id: some.map(({ id }) => id) };
    const { status } = await client.roster.subscription.status.get(asked);
    for (const [id, state] of Object.entries(status)) states.set(id, String(state).toLowerCase());
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

/** Oldest first. */
export const historyOf = async ({ roster }: Client, { id }: { id: string }) =>
  (await roster.subscription.history({ external_id: id })).changes.toReversed();

type Change = Awaited<ReturnType<typeof historyOf>>[number];

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
