/** What the Liquid of a message may name about a person, by the names of the interface. */
import type { fieldNames } from '@roster/profile';
import type { Person } from './people.ts';

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

export const variablesOf = ({ profile, states }: Person): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(names).map(([name, field]) => [name, profile.fields[field]?.v ?? null]),
  ),
  user_id: profile.external_id ?? null,
  custom_attribute: Object.fromEntries((profile.custom ?? []).map(({ k, v }) => [k, v])),
  subscribed_state: Object.fromEntries(states),
});
