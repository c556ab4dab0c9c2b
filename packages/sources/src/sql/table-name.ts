/** `users`, `crm.users`, `"odd.name"."users"`, where a server has them `shop.crm.users`: the parts of a table's name. */
import { bad } from '../source-error.ts';

const part = '(?:"((?:[^"]|"")+)"|([^".]+))';
const grammar = new RegExp(`^${part}(?:\\.${part})?(?:\\.${part})?$`);
const mostCharacters = 400;

const unquoted = (quoted: string | undefined, bare: string | undefined): string | undefined =>
  quoted?.replaceAll('""', '"') ?? bare;

export const tableParts = (table: string, most: 2 | 3 = 2): readonly string[] => {
  const [, ...found] = (table.length <= mostCharacters && grammar.exec(table)) || [];
  const parts = [0, 2, 4].flatMap((at) => unquoted(found[at], found[at + 1]) ?? []);
  if (parts.length === 0 || parts.length > most || table.includes('\0'))
    throw bad('the table must be a name such as users or crm.users, in double quotes where a name has a dot');
  return parts;
};

export const quotedBy =
  (mark: '"' | '`') =>
  (name: string): string =>
    `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;

export const quoted = quotedBy('"');
