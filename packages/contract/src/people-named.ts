/** The people that the entries of an identity request name, by each identifier that stands in them. */
import { type Identifiers, isJsonObject, type Json, type UserAlias } from './types.ts';

type Entry = { [name: string]: Json | undefined };

const isText = (value: unknown): value is string => typeof value === 'string';

const externalIdsIn = (entry: Entry): Identifiers[] =>
  [entry.external_id, entry.current_external_id, entry.new_external_id]
    .filter(isText)
    .map((external_id) => ({ external_id }));

/** An alias stands in its own object, or its parts stand in the entry. */
const aliasesIn = ({
  user_alias,
  alias_label,
  alias_name,
  old_alias_name,
  new_alias_name,
}: Entry): Identifiers[] => [
  ...(isJsonObject(user_alias) ? [{ user_alias: user_alias as UserAlias }] : []),
  ...(isText(alias_label)
    ? [alias_name, old_alias_name, new_alias_name]
        .filter(isText)
        .map((name) => ({ user_alias: { alias_label, alias_name: name } }))
    : []),
];

const othersIn = ({ service_id, email, phone }: Entry): Identifiers[] => [
  ...(isText(service_id) ? [{ service_id }] : []),
  ...(isText(email) ? [{ email }] : []),
  ...(isText(phone) ? [{ phone }] : []),
];

const namedIn = (entry: unknown): Identifiers[] => {
  if (!isJsonObject(entry)) return [];
  const sides = [entry.identifier_to_merge, entry.identifier_to_keep].flatMap(namedIn);
  return [...externalIdsIn(entry), ...aliasesIn(entry), ...othersIn(entry), ...sides];
};

/** Entries that were refused are their codes. */
export const peopleNamed = (body: unknown): Identifiers[] =>
  isJsonObject(body)
    ? Object.values(body).flatMap((list) => (Array.isArray(list) ? list.flatMap(namedIn) : []))
    : [];
