/** The fields of an exported user as an attribute entry takes them. What is not listed here is sent under its own name. */
import { isEmpty, listOf, present } from './exported-names.ts';
import type { JsonObject } from './row.ts';

type Value = JsonObject[string];

/** Why a field stays behind. The docs and the report show these sentences. */
export const staysBehind: Readonly<Record<string, string>> = {
  service_id: 'Roster gives each person a new one',
  random_bucket: 'is made from the service id',
  created_at: 'is when the profile was made here',
  custom_events: 'is a summary; send the events themselves',
  purchases: 'is a summary; send the purchases themselves',
  total_revenue: 'is summed up from the purchases',
};

const tokenOf = ({ app, ...rest }: JsonObject): JsonObject => ({
  ...(app != null && { app_id: app }),
  ...rest,
});

const groupOf = (group: JsonObject): JsonObject =>
  present([
    ['subscription_group_id', group.subscription_group_id ?? group.id],
    ['subscription_state', group.subscription_state ?? group.state],
  ]);

const locationOf = (value: Value): Value | undefined => {
  if (!Array.isArray(value) || value.length < 2) return undefined;
  const [longitude = null, latitude = null] = value;
  return { longitude, latitude };
};

/** Fields that have another name or shape on the way in. */
const translations: Readonly<Record<string, (value: Value) => [string, Value | undefined]>> = {
  last_coordinates: (value) => ['current_location', locationOf(value)],
  push_tokens: (value) => ['push_tokens', listOf(value).map(tokenOf)],
  subscription_groups: (value) => ['subscription_groups', listOf(value).map(groupOf)],
};

/** What becomes something else than attributes. */
const apart: ReadonlySet<string> = new Set(['custom_attributes', 'user_aliases', 'former_external_ids']);

/** Who has opted in to push at a time that nobody knows: without this it would be the time of the import. */
const unknownTime = ({ push_subscribe, push_opted_in_at }: JsonObject): JsonObject =>
  push_subscribe === 'opted_in' && push_opted_in_at == null ? { push_opted_in_at: null } : {};

export const fieldsOf = (user: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(user)
      .filter(([name, value]) => !isEmpty(value) && !Object.hasOwn(staysBehind, name))
      .filter(([name]) => !apart.has(name))
      .map(
        ([name, value]) =>
          (Object.hasOwn(translations, name) ? translations[name]?.(value) : undefined) ?? [name, value],
      )
      .filter((pair): pair is [string, Value] => pair[1] !== undefined),
  ),
  ...unknownTime(user),
});

const groupMembers = new Set([
  'id',
  'state',
  'subscription_group_id',
  'subscription_state',
  'name',
  'channel',
]);

/** By name. */
export const lostOf = (user: JsonObject): string[] => {
  const fields = Object.keys(staysBehind).filter((name) => !isEmpty(user[name]));
  const groups = listOf(user.subscription_groups).flatMap((group) =>
    Object.keys(group).filter((name) => !groupMembers.has(name)),
  );
  return [...fields, ...[...new Set(groups)].map((name) => `subscription_groups.${name}`)];
};
