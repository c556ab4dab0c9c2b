/** How an exported user is named: in the entries themselves, and by further names. */
import { type FurtherName, isRecord, type JsonObject } from './row.ts';

type Value = JsonObject[string];

export const listOf = (value: Value | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

export const isEmpty = (value: Value | undefined): boolean =>
  value == null || (Array.isArray(value) && value.length === 0);

export const present = (pairs: [string, Value | undefined][]): JsonObject =>
  Object.fromEntries(pairs.filter((pair): pair is [string, Value] => pair[1] != null));

const aliasOf = ({ alias_name, alias_label }: JsonObject): JsonObject =>
  present([
    ['alias_name', alias_name],
    ['alias_label', alias_label],
  ]);

/** Whom the entries are about: external id, else the first alias, else email or phone, else push tokens alone. */
export const identityOf = (user: JsonObject): JsonObject => {
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

export const namesOf = (user: JsonObject): FurtherName[] => [...formerOf(user), ...aliasesOf(user)];
