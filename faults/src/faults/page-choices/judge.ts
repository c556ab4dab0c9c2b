// What is stored and told of the choices, against what was chosen.
import type { Answer, Body } from '@roster/client';
import type { Client } from '../../harness/client.ts';
import type { Db } from '../../harness/mongo.ts';
import { eachOf } from '../../harness/wait.ts';
import { callers, historyOf } from '../consent/judge.ts';
import { type Choice, type Consent, changesOf, consents } from './choices.ts';

export interface Chooser {
  id: string;
  /** Id of the preference center. */
  center: string;
  choices: Choice[];
}

type Told = Awaited<ReturnType<typeof historyOf>>[number];

const isAbout = (consent: Consent, { consent: told, subscription_group_id }: Told): boolean =>
  consent === 'email' ? told === 'email' : subscription_group_id === consent;

const inWords = (changes: readonly { from: string | null; to: string | null }[]): string =>
  changes.map(({ from, to }) => `${from} to ${to}`).join(', ') || 'nothing';

/** One request for each choice: changes of one choice have one id, and changes of two have two. */
const requestsDiffer = (told: readonly Told[], choices: readonly number[]): boolean => {
  const pairs = told.map(({ request_id }, n) => `${request_id} ${choices[n]}`);
  const [requests, made] = [new Set(told.map((one) => one.request_id)), new Set(choices)];
  return requests.size !== made.size || new Set(pairs).size !== made.size;
};

const flawsOf = (chooser: Chooser, history: readonly Told[]): { gaps: string[]; sources: string[] } => {
  const { id, center, choices } = chooser;
  const gaps: string[] = [];
  const told: Told[] = [];
  const made: number[] = [];
  for (const consent of consents) {
    const some = history.filter((change) => isAbout(consent, change));
    const wanted = changesOf(choices, consent);
    if (inWords(some) !== inWords(wanted))
      gaps.push(`${id}, ${consent}: ${inWords(some)} instead of ${inWords(wanted)}`);
    told.push(...some);
    made.push(...wanted.map(({ choice }) => choice));
  }
  if (gaps.length === 0 && requestsDiffer(told, made)) gaps.push(`${id}: requests and choices differ`);
  const foreign = history.filter(
    ({ operation, preference_center_api_id }) =>
      operation !== 'preference_center.submit' || preference_center_api_id !== center,
  );
  return { gaps, sources: foreign.map(({ operation }) => `${id}: ${operation}`) };
};

export const wrongHistories = async (client: Client, choosers: readonly Chooser[]) => {
  const gaps: string[] = [];
  const sources: string[] = [];
  let changes = 0;
  await eachOf(choosers, callers, async (chooser) => {
    const history = await historyOf(client, chooser);
    changes += history.length;
    const flaws = flawsOf(chooser, history);
    gaps.push(...flaws.gaps);
    sources.push(...flaws.sources);
  });
  return { gaps, sources, changes };
};

type Exported = Answer<'users.export.ids'>['users'][number];

const stateIn = ({ email_subscribe, subscription_groups }: Exported, consent: Consent): unknown =>
  consent === 'email' ? email_subscribe : subscription_groups?.find(({ id }) => id === consent)?.state;

export const wrongStates = async (client: Client, choosers: readonly Chooser[]): Promise<string[]> => {
  const wrong: string[] = [];
  for (let from = 0; from < choosers.length; from += 50) {
    const some = new Map(choosers.slice(from, from + 50).map((one) => [one.id, one]));
    const fields_to_export: Body<'users.export.ids'>['fields_to_export'] = [
      'external_id',
      'email_subscribe',
      'subscription_groups',
    ];
    const asked = { external_ids: [...some.keys()], fields_to_export };
    const { users } = await client.roster.users.export.ids(asked);
    for (const user of users)
      for (const consent of consents) {
        const { external_id: id = '' } = user;
        const wanted = some.get(id)?.choices.at(-1)?.[consent];
        const found = stateIn(user, consent);
        if (found !== wanted) wrong.push(`${id}, ${consent}: ${found} instead of ${wanted}`);
      }
    if (users.length !== some.size) wrong.push(`${some.size - users.length} people are not there`);
  }
  return wrong;
};

/** By the marks: an accepted request has one, and nobody else in this trial says anything of consent. */
export const countApplied = (mongo: Db): Promise<number> =>
  mongo.collection('requests').countDocuments({ op: 'subscription.status.set.v2', state: 'applied' });
