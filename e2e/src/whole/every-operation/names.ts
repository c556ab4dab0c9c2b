/** The people that a body names, found by how the interface calls them and not by what the table of operations says. */

export interface Names {
  external_ids: string[];
  user_aliases: { alias_label: string; alias_name: string }[];
  emails: string[];
  phones: string[];
}

const kinds: readonly [keyof Omit<Names, 'user_aliases'>, RegExp][] = [
  ['external_ids', /^(current_|new_)?external_ids?$/],
  ['emails', /^(emails?|email_addresses)$/],
  ['phones', /^(phones?|phone_numbers)$/],
];

const aliasParts = ['alias_name', 'old_alias_name', 'new_alias_name'];

type Entry = Record<string, unknown>;

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Beside another identifier an email or phone is what an attribute object sets; where both count, there is a preference, too. */
const isAttribute = (entry: Entry, key: string): boolean =>
  (key === 'email' || key === 'phone') &&
  entry.prioritization === undefined &&
  [entry.external_id, entry.user_alias, entry.service_id].some((one) => one !== undefined);

const look = (value: unknown, names: Names): void => {
  if (Array.isArray(value)) for (const one of value) look(one, names);
  if (!isEntry(value)) return;
  const { alias_label } = value;
  for (const part of aliasParts)
    if (typeof value[part] === 'string')
      names.user_aliases.push({ alias_label: String(alias_label), alias_name: value[part] });
  for (const [key, inner] of Object.entries(value)) {
    const [kind] = kinds.find(([, pattern]) => pattern.test(key)) ?? [];
    if (kind && !isAttribute(value, key))
      names[kind].push(...[inner].flat().filter((one) => typeof one === 'string'));
    look(inner, names);
  }
};

export const namesIn = (body: unknown): Names => {
  const names: Names = { external_ids: [], user_aliases: [], emails: [], phones: [] };
  look(body, names);
  return names;
};

const nobody: Names = { external_ids: [], user_aliases: [], emails: [], phones: [] };

/** Each of them alone and once, by the text by which it would be recognised. */
export const oneByOne = ({ external_ids, user_aliases, emails, phones }: Names): Map<string, Names> =>
  new Map([
    ...external_ids.map((id): [string, Names] => [id, { ...nobody, external_ids: [id] }]),
    ...user_aliases.map((one): [string, Names] => [one.alias_name, { ...nobody, user_aliases: [one] }]),
    ...emails.map((email): [string, Names] => [email, { ...nobody, emails: [email] }]),
    ...phones.map((phone): [string, Names] => [phone, { ...nobody, phones: [phone] }]),
  ]);

/** Every text in a value, names of members left out. */
export const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
