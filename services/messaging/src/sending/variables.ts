/** What the Liquid of a message may name about a person, by the names of the interface. */
import { type fieldNames, groupIn } from '@roster/profile';
import type { MessageLinks } from '../links/page-urls.ts';
import type { Recipient } from './people.ts';

type FieldName = (typeof fieldNames)[number];

const names: Readonly<Record<string, FieldName>> = {
  city: 'home_city',
  country: 'country',
  date_of_birth: 'dob',
  email_address: 'email',
  first_name: 'first_name',
  gender: 'gender',
  language: 'language',
  last_name: 'last_name',
  phone_number: 'phone',
  time_zone: 'time_zone',
};

type Variable = (person: Recipient, links: MessageLinks) => unknown;

/** As on the pages of preference centers: of a group by its id, of all emails as `email_global`. */
const stateOfEmails = 'email_global';
const subscribedState: Variable = ({ states }) => ({
  ...Object.fromEntries([...states].map(([k, v]) => [groupIn(k) ?? k, v])),
  [stateOfEmails]: states.get('email') ?? 'subscribed',
});

/** What `subscribed_state.${...}` may name. */
export const stateNames = (groups: readonly string[]): string[] => [
  ...groups,
  ...[stateOfEmails, 'email', 'push'],
];

const unsubscribeUrl: Variable = ({ profile }, links) => links.unsubscribe(profile._id);

const variables: Readonly<Record<string, Variable>> = {
  ...Object.fromEntries(
    Object.entries(names).map(([name, field]): [string, Variable] => [
      name,
      ({ profile }) => profile.fields[field]?.v ?? null,
    ]),
  ),
  user_id: ({ profile }) => profile.external_id ?? null,
  custom_attribute: ({ profile }) => Object.fromEntries((profile.custom ?? []).map(({ k, v }) => [k, v])),
  subscribed_state: subscribedState,
  preference_center: ({ profile }, links) => links.centers(profile._id),
  set_user_to_unsubscribed_url: unsubscribeUrl,
  unsubscribe_url: unsubscribeUrl,
};

/** Whether one of the texts may name it: with brackets a name can be made of parts. */
export const mayName = (texts: readonly string[], name: string): boolean =>
  texts.some((text) => text.includes(name) || text.includes('['));

/** What a text may name, besides what it makes itself. */
export const variableNames: readonly string[] = [...Object.keys(variables), 'content_blocks'];

/** Of a person, what these texts may name. */
export const createVariablesOf = (texts: readonly string[], links: MessageLinks) => {
  const named = Object.entries(variables).filter(([name]) => mayName(texts, name));
  return (person: Recipient): Record<string, unknown> =>
    Object.fromEntries(named.map(([name, read]) => [name, read(person, links)]));
};
