/**
 * A person as `/users/export/ids` shows them, turned back into attribute entries and further names. Every field has a rule here; what
 * is not listed is sent under its own name.
 */
import { type FurtherName, isRecord, type JsonObject } from './row.ts';

export interface Translation {
  entries: JsonObject[];
  names: FurtherName[];
  /** What cannot make the trip, by name. */
  leftOut: string[];
}

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

/** Members of the identifier and of the entry itself: a custom attribute of this name could not be told from them. */
const reserved: ReadonlySet<string> = new Set([
  'external_id',
  'user_alias',
  'service_id',
  'email',
  'phone',
  'push_token_import',
  '_update_existing_only',
  '_merge_objects',
  'last_coordinates',
  'subscription_groups',
  'push_tokens',
]);

/** An entry takes at most 1,000 members; some are needed for who it is. */
const mostMembers = 900;

const listOf = (value: Value | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const isEmpty = (value: Value | undefined): boolean =>
  value == null || (Array.isArray(value) && value.length === 0);

const present = (pairs: [string, Value | undefined][]): JsonObject =>
  Object.fromEntries(pairs.filter((pair): pair is [string, Value] => pair[1] != null));

const aliasOf = ({ alias_name, alias_label }: JsonObject): JsonObject =>
  present([
    ['alias_name', alias_name],
    ['alias_label', alias_label],
  ]);

/** Whom the entries are about: external id, else the first alias, else email or phone, else push tokens alone. */
const identityOf = (user: JsonObject): JsonObject => {
  const { external_id, email, phone, push_tokens } = user;
  if (external_id != null) return { external_id };
  const [alias] = listOf(user.user_aliases);
  if (alias) return { user_alias: aliasOf(alias), _update_existing_only: false };
  if (email != null) return { email };
  if (phone != null) return { phone };
  return listOf(push_tokens).length > 0 ? { push_token_import: true } : {};
};

/** Those that do not name the person already. */
const aliasesOf = (user: JsonObject): FurtherName[] => {
  const { external_id } = user;
  const [first, ...more] = listOf(user.user_aliases).map(aliasOf);
  if (!first) return [];
  const whom: JsonObject = external_id == null ? { user_alias: first } : { external_id };
  return (external_id == null ? more : [first, ...more]).map((alias) => ({
    kind: 'alias',
    value: { ...whom, ...alias },
  }));
};

/** `roster export` tells them; `/users/export/ids` does not. */
const formerOf = ({ external_id, former_external_ids }: JsonObject): FurtherName[] =>
  external_id == null || isEmpty(former_external_ids)
    ? []
    : [
        {
          kind: 'former',
          value: present([
            ['external_id', external_id],
            ['former_external_ids', former_external_ids],
          ]),
        },
      ];

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

const fieldsOf = (user: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(user)
      .filter(([name, value]) => !isEmpty(value) && !Object.hasOwn(staysBehind, name))
      .filter(([name]) => !apart.has(name))
      .map(
        ([name, value]) =>
          (Object.hasOwn(translations, name) ? translations[name]?.(value) : undefined) ?? [name, value],
      )
      .filter((pair): pair is [string, Value] => pair[1] !== undefined),
  );

const groupMembers = new Set([
  'id',
  'state',
  'subscription_group_id',
  'subscription_state',
  'name',
  'channel',
]);

const lostOf = (user: JsonObject, clashing: string[]): string[] => {
  const fields = Object.keys(staysBehind).filter((name) => !isEmpty(user[name]));
  const groups = listOf(user.subscription_groups).flatMap((group) =>
    Object.keys(group).filter((name) => !groupMembers.has(name)),
  );
  return [
    ...fields,
    ...[...new Set(groups)].map((name) => `subscription_groups.${name}`),
    ...clashing.map((name) => `custom_attributes.${name}`),
  ];
};

const portions = <Item>(list: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(list.length / mostMembers) }, (_, i) =>
    list.slice(i * mostMembers, (i + 1) * mostMembers),
  );

/**
 * What is said beside an email is said about that email, and holds for everybody who has it. What is exported is what counts for this
 * person; so it is said first, and the email given afterwards.
 */
const isSaidFirst = (identity: JsonObject, { email, ...fields }: JsonObject): boolean =>
  email !== undefined &&
  identity.email === undefined &&
  ['email_subscribe', 'subscription_groups'].some((name) => Object.hasOwn(fields, name));

export const entriesOfExportedUser = (user: JsonObject): Translation => {
  const identity = identityOf(user);
  const fields = fieldsOf(user);
  const custom = isRecord(user.custom_attributes) ? Object.entries(user.custom_attributes) : [];
  const taken = (name: string) => reserved.has(name) || Object.hasOwn(fields, name);
  const attributes = custom.filter(([name, value]) => value != null && !taken(name));
  const [first = [], ...more] = portions(attributes);
  // From entries, not by assignment: `__proto__` is only a name here.
  const entry = (pairs: [string, Value][]): JsonObject =>
    Object.fromEntries([...Object.entries(identity), ...pairs]);
  const later = Object.entries(fields).filter(([name]) => name === 'email' && isSaidFirst(identity, fields));
  const sooner = Object.entries(fields).filter(([name]) => later.every(([other]) => other !== name));
  return {
    entries: [entry([...sooner, ...first]), ...[...more, later].filter((some) => some.length > 0).map(entry)],
    names: [...formerOf(user), ...aliasesOf(user)],
    leftOut: lostOf(user, custom.map(([name]) => name).filter(taken)),
  };
};
