// What is stored and told of the choices, against what was chosen.
import type { Answer, Body } from '@roster/client';
import type { Client } from '../../harness/client.ts';
import type { Db } from '../../harness/mongo.ts';
import { eachOf, inParts } from '../../harness/wait.ts';
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

const inWords = (changes: readonly { from: string | null; to: string | null; choice: number }[]): string =>
  changes.map(({ from, to, choice }) => `${from} to ${to} by choice ${choice}`).join(', ') || 'nothing';

/** One request for each choice, in their order. */
const gapsIn = ({ id, choices }: Chooser, history: readonly Told[]): string[] => {
  const requests = [...new Set(history.map(({ request_id }) => request_id))];
  return consents.flatMap((consent) => {
    const some = history.filter((change) => isAbout(consent, change));
    const told = inWords(some.map((one) => ({ ...one, choice: requests.indexOf(one.request_id) })));
    const wanted = inWords(changesOf(choices, consent));
    return told === wanted ? [] : [`${id}, ${consent}: ${told} instead of ${wanted}`];
  });
};

const foreignIn = ({ id, center }: Chooser, history: readonly Told[]): string[] =>
  history.flatMap(({ operation, preference_center_api_id }) =>
    operation === 'preference_center.submit' && preference_center_api_id === center
      ? []
      : [`${id}: ${operation}`],
  );

export const wrongHistories = async (client: Client, choosers: readonly Chooser[]) => {
  const gaps: string[] = [];
  const sources: string[] = [];
  let changes = 0;
  await eachOf(choosers, callers, async (chooser) => {
    const history = await historyOf(client, chooser);
    changes += history.length;
    gaps.push(...gapsIn(chooser, history));
    sources.push(...foreignIn(chooser, history));
  });
  return { gaps, sources, changes };
};

type Exported = Answer<'users.export.ids'>['users'][number];

const stateIn = (user: Exported | undefined, consent: Consent): unknown =>
  consent === 'email'
    ? user?.email_subscribe
    : user?.subscription_groups?.find(({ id }) => id === consent)?.state;

const fields_to_export: Body<'users.export.ids'>['fields_to_export'] = [
  'external_id',
  'email_subscribe',
  'subscription_groups',
];

export const wrongStates = async (client: Client, choosers: readonly Chooser[]): Promise<string[]> => {
  const wrong: string[] = [];
  await eachOf(inParts(choosers, 50), callers, async (some) => {
    const asked = { external_ids: some.map(({ id }) => id), fields_to_export };
    const { users } = await client.roster.users.export.ids(asked);
    if (users.length !== some.length) wrong.push(`${some.length - users.length} people are not there`);
    const found = new Map(users.map((user) => [user.external_id, user]));
    for (const { id, choices } of some)
      for (const consent of consents) {
        const [wanted, is] = [choices.at(-1)?.[consent], stateIn(found.get(id), consent)];
        if (is !== wanted) wrong.push(`${id}, ${consent}: ${is} instead of ${wanted}`);
      }
  });
  return wrong;
};

/** By the marks: an accepted request has one, and nobody else in this trial says anything of consent. */
export const countApplied = (mongo: Db): Promise<number> =>
  mongo.collection('requests').countDocuments({ op: 'subscription.status.set.v2', state: 'applied' });
