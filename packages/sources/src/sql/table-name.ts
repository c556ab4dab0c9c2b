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

const partsOfKind: Readonly<Record<string, 2 | 3>> = {
  postgresql: 2,
  mysql: 2,
  redshift: 3,
  bigquery: 3,
  snowflake: 3,
  databricks: 3,
};

/** https://www.mongodb.com/docs/manual/reference/limits/#naming-restrictions */
const isCollection = (name: string): boolean =>
  name !== '' && Buffer.byteLength(name) <= 255 && !/[$\0]|^\.|\.$|^system\./.test(name);

/** Throws what is wrong with the name of a table for a kind of source. Whether there is such a table is another question. */
export const assertTableName = (kind: string, table: string): void => {
  const most = partsOfKind[kind];
  if (kind === 'mongodb' && !isCollection(table))
    throw bad('the table must be the name of a collection, without $, and not one of the system');
  if (most === undefined) return;
  const parts = tableParts(table, most);
  // Of dots alone a path makes another path.
  if (kind === 'bigquery' && (parts.length < 2 || parts.some((part) => /^\.+$/.test(part))))
    throw bad('a table of BigQuery is named with its dataset: dataset.table');
};

export const quotedBy =
  (mark: '"' | '`') =>
  (name: string): string =>
    `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;

export const quoted = quotedBy('"');
