/** A person in the form of `/users/export/ids`, as attribute entries and further names. `roster export` writes people in this form. */
import { attributeMembers } from '@roster/contract';
import { isRecord, type JsonObject, recordsIn } from '../json.ts';
import type { FurtherName, LeftOut } from './row.ts';
import { attributePiece, type Member, piecesOf, spread } from './spread.ts';

type Value = JsonObject[string];

export interface Translation {
  entries: JsonObject[];
  names: FurtherName[];
  leftOut: LeftOut[];
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

/** The same for what only the hosted service exports. */
const ofHosted: Readonly<Record<string, string>> = {
  braze_id: 'Roster gives each person a new id',
  created_from: 'is how the profile was made there',
};

const allBehind: Readonly<Record<string, string>> = { ...staysBehind, ...ofHosted };

export const doesStayBehind = (name: string): boolean => Object.hasOwn(allBehind, name);

/** Members that are no fields: identifiers, and members that become something else. */
const apart: ReadonlySet<string> = new Set(['custom_attributes', 'user_aliases', 'former_external_ids']);

const hasNameOfField = 'has the name of a field';

const isTaken = ([name]: Member): boolean => attributeMembers.has(name);

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

/** Custom attributes are in `custom_attributes`: another member that is no field here would become one. */
const reasonOf = (name: string): string | undefined => {
  if (doesStayBehind(name)) return allBehind[name];
  return apart.has(name) || attributeMembers.has(name) ? undefined : 'is no field of a person here';
};

const lostOf = (user: JsonObject): LeftOut[] => {
  const fields = Object.keys(user).flatMap((name) => {
    const reason = isEmpty(user[name]) ? undefined : reasonOf(name);
    return reason === undefined ? [] : [{ name, reason }];
  });
  const ofGroups = recordsIn(user.subscription_groups).flatMap((group) => Object.keys(group));
  const lost = new Set(ofGroups.filter((name) => ![...groupMembers, 'name', 'channel'].includes(name)));
  const reason = 'cannot be sent by /users/track';
  return [...fields, ...[...lost].map((name) => ({ name: `subscription_groups.${name}`, reason }))];
};

const withoutLost = (name: string, value: Value): Value =>
  name === 'subscription_groups' ? recordsIn(value).map((group) => only(group, ...groupMembers)) : value;

/** The fields are sent as they are exported. A push opt-in of unknown time would get the time of the import. */
const fieldsOf = (user: JsonObject): Member[] => {
  const fields = Object.entries(user)
    .filter(([name, value]) => !isEmpty(value) && !apart.has(name) && reasonOf(name) === undefined)
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

/** The fields of one person, without their identifier, as the members of entries. */
const partsOf = (
  identity: JsonObject,
  fields: readonly Member[],
  attributes: readonly Member[],
): Member[][] => {
  const later = fields.filter(([name]) => name === 'email' && isEmailLater(identity, fields));
  const first = fields.filter((field) => !later.includes(field));
  const parts = spread([...first.flatMap(piecesOf), ...attributes.map(attributePiece)]);
  return later.length > 0 ? [...parts, later] : parts;
};

const nobody: LeftOut = {
  name: 'people',
  reason: 'no external id, alias, email, phone or push token names them',
};

export const entriesOfExportedUser = (user: JsonObject): Translation => {
  const [identity, lost] = [identityOf(user), lostOf(user)];
  if (Object.keys(identity).length === 0) return { entries: [], names: [], leftOut: [...lost, nobody] };
  const custom = isRecord(user.custom_attributes) ? Object.entries(user.custom_attributes) : [];
  const [taken, attributes] = [custom.filter(isTaken), custom.filter((member) => !isTaken(member))];
  const present = attributes.filter(([, value]) => value != null);
  return {
    // From entries, not by assignment: `__proto__` is only a name here.
    entries: partsOf(identity, fieldsOf(user), present).map((part) =>
      Object.fromEntries([...Object.entries(identity), ...part]),
    ),
    names: namesOf(user),
    leftOut: [
      ...lost,
      ...taken.map(([name]) => ({ name: `custom_attributes.${name}`, reason: hasNameOfField })),
    ],
  };
};
