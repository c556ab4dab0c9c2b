/** A person in the form of `/users/export/ids`, as attribute entries and further names. `roster export` writes people in this form. */
import { isRecord, type JsonObject, recordsIn } from '../json.ts';
import type { FurtherName } from './row.ts';
import { attributePiece, type Member, piecesOf, spread } from './spread.ts';

type Value = JsonObject[string];

export interface Translation {
  entries: JsonObject[];
  names: FurtherName[];
  /** The fields that cannot be imported, by name. */
  leftOut: string[];
}

/** Why a field stays behind. The docs and the report show these sentences. */
export const staysBehind: Readonly<Record<string, string>> = {
  service_id: 'Roster gives each person a new one',
  random_bucket: 'is made from the service id',
  created_at: 'is when the profile was made here',
  custom_events: 'is a summary; send the events themselves',
  purchases: 'is a summary; send the purchases themselves',
  total_revenue: 'is summed up from the purchases',
};

/** Members that are no fields: identifiers, and members that become something else. */
const apart: ReadonlySet<string> = new Set(['custom_attributes', 'user_aliases', 'former_external_ids']);

/** A custom attribute of this name could not be told from a member of the entry. */
const reserved: ReadonlySet<string> = new Set(
  (
    'external_id user_alias service_id email phone push_token_import push_tokens _update_existing_only ' +
    '_merge_objects current_location last_coordinates subscription_groups'
  ).split(' '),
);

const isEmpty = (value: Value | undefined): boolean =>
  value == null || (Array.isArray(value) && value.length === 0);

const only = (from: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(from).filter(([name, value]) => names.includes(name) && value != null));

/** The identifier of a person: external id, else the first alias, else email or phone. */
export const identifierOf = (user: JsonObject): JsonObject | undefined => {
  const [alias] = recordsIn(user.user_aliases);
  if (user.external_id != null) return only(user, 'external_id');
  if (alias) return { user_alias: only(alias, 'alias_name', 'alias_label') };
  if (user.email != null) return only(user, 'email');
  return user.phone == null ? undefined : only(user, 'phone');
};

/** What names the person in the entries: the identifier, else push tokens alone. */
const identityOf = (user: JsonObject): JsonObject => {
  const identifier = identifierOf(user);
  if (identifier?.user_alias) return { ...identifier, _update_existing_only: false };
  return identifier ?? (recordsIn(user.push_tokens).length > 0 ? { push_token_import: true } : {});
};

/** Former external ids, which only `roster export` writes, and the aliases that do not identify the person already. */
const namesOf = (user: JsonObject): FurtherName[] => {
  const isNamed = user.external_id != null;
  const former = isNamed && !isEmpty(user.former_external_ids);
  const aliases = recordsIn(user.user_aliases).slice(isNamed ? 0 : 1);
  return [
    ...(former ? [{ kind: 'former' as const, value: only(user, 'external_id', 'former_external_ids') }] : []),
    ...aliases.map((alias) => ({
      kind: 'alias' as const,
      value: { ...identifierOf(user), ...only(alias, 'alias_name', 'alias_label') },
    })),
  ];
};

const groupMembers = ['id', 'state', 'subscription_group_id', 'subscription_state'];

const lostOf = (user: JsonObject): string[] => {
  const fields = Object.keys(staysBehind).filter((name) => !isEmpty(user[name]));
  const ofGroups = recordsIn(user.subscription_groups).flatMap((group) => Object.keys(group));
  const lost = new Set(ofGroups.filter((name) => ![...groupMembers, 'name', 'channel'].includes(name)));
  return [...fields, ...[...lost].map((name) => `subscription_groups.${name}`)];
};

const withoutLost = (name: string, value: Value): Value =>
  name === 'subscription_groups' ? recordsIn(value).map((group) => only(group, ...groupMembers)) : value;

/** The fields are sent as they are exported. A push opt-in of unknown time would get the time of the import. */
const fieldsOf = (user: JsonObject): Member[] => {
  const fields = Object.entries(user)
    .filter(([name, value]) => !isEmpty(value) && !Object.hasOwn(staysBehind, name) && !apart.has(name))
    .map(([name, value]): Member => [name, withoutLost(name, value)]);
  const isOfUnknownTime = user.push_subscribe === 'opted_in' && user.push_opted_in_at == null;
  return isOfUnknownTime ? [...fields, ['push_opted_in_at', null]] : fields;
};

/**
 * A state sent beside an email is about that email, and counts for all people who have it. The exported state is that of this
 * person; so it is sent first, and the email afterwards.
 */
const isEmailLater = (identity: JsonObject, fields: readonly Member[]): boolean =>
  identity.email === undefined &&
  fields.some(([name]) => name === 'email_subscribe' || name === 'subscription_groups');

export const entriesOfExportedUser = (user: JsonObject): Translation => {
  const [identity, fields] = [identityOf(user), fieldsOf(user)];
  const shown = new Set(fields.map(([name]) => name));
  const custom = isRecord(user.custom_attributes) ? Object.entries(user.custom_attributes) : [];
  const isTaken = ([name]: Member): boolean => reserved.has(name) || shown.has(name);
  const later = fields.filter(([name]) => name === 'email' && isEmailLater(identity, fields));
  const attributes = custom.filter((member) => member[1] != null && !isTaken(member)).map(attributePiece);
  const parts = spread([
    ...fields.filter((field) => !later.includes(field)).flatMap(piecesOf),
    ...attributes,
  ]);
  return {
    // From entries, not by assignment: `__proto__` is only a name here.
    entries: [...parts, ...(later.length > 0 ? [later] : [])].map((part) =>
      Object.fromEntries([...Object.entries(identity), ...part]),
    ),
    names: namesOf(user),
    leftOut: [...lostOf(user), ...custom.filter(isTaken).map(([name]) => `custom_attributes.${name}`)],
  };
};
