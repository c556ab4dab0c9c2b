/** The statements that read rows. Values are written into them as hexadecimal or digits, which need no quotes. */
import { bounds } from '../bounds.ts';
import { type Place, tieCharactersRead } from '../place.ts';
import { isAfter } from '../sql/keyset.ts';
import { isBinary, isNumber, isWhole, quote, type Table, type TableColumn } from './table.ts';

const hex = (text: string): string => `0x${Buffer.from(text, 'utf8').toString('hex')}`;

/** The order of keys must be known here too: decimals have that of their texts then. */
const hasOwnOrder = (moment: TableColumn | undefined, tie: TableColumn): boolean =>
  isBinary(tie) || (moment ? isNumber(tie) : isWhole(tie));

/** Most collations hold texts for equal that are not the same, so texts are ordered by their bytes. */
const tieOrder = ({ moment, tie }: Table): string =>
  hasOwnOrder(moment, tie) ? quote(tie.name) : `CAST(CONVERT(${quote(tie.name)} USING utf8mb4) AS BINARY)`;

const tieText = (tie: TableColumn): string => {
  const text = isBinary(tie) ? `HEX(${quote(tie.name)})` : `CONVERT(${quote(tie.name)} USING utf8mb4)`;
  return `LEFT(${text}, ${tieCharactersRead})`;
};

const number = (text: string): string => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error('this is no cursor of the table');
  return text;
};

const tieValue = ({ moment, tie }: Table, text: string): string => {
  if (isNumber(tie) && hasOwnOrder(moment, tie)) return number(text);
  return isBinary(tie) ? `UNHEX(${hex(text)})` : `CAST(${text ? hex(text) : "''"} AS BINARY)`;
};

const momentValue = (text: string): string =>
  `CAST(CONVERT(${hex(text.replace('T', ' ').replace('Z', ''))} USING utf8mb4) AS DATETIME(6))`;

/** Rows of the future wait: one that is read too early would hide all changes until its time has come. */
const notYet = ({ name, kind }: TableColumn): string =>
  `${quote(name)} <= UTC_TIMESTAMP(6)${kind === 'timestamp' ? '' : ' + INTERVAL 14 HOUR'}`;

const conditions = (table: Table, since: Place | undefined): string => {
  const { moment } = table;
  const keyset = {
    moment: moment && quote(moment.name),
    tie: tieOrder(table),
    nulls: 'first' as const,
    momentValue,
    tieValue: (text: string) => tieValue(table, text),
  };
  const after = since ? [isAfter(keyset, since)] : [];
  const timely = moment ? [`${quote(moment.name)} >= '1000-01-01'`, notYet(moment)] : ['true'];
  return [...timely, ...after].join(' AND ');
};

const small = new Set(
  'tinyint smallint mediumint int bigint float double decimal date datetime timestamp time year bit uuid'.split(
    ' ',
  ),
);
const smallBytes = 32;

const rowBytes = (columns: readonly TableColumn[]): string => {
  const varying = columns.filter(({ kind }) => !small.has(kind));
  const sizes = varying.map(
    (column) => `COALESCE(${isBinary(column) ? '2 * ' : ''}LENGTH(${quote(column.name)}), 0)`,
  );
  return [String(smallBytes * columns.length), ...sizes].join(' + ');
};

const cell = (column: TableColumn): string => {
  const name = quote(column.name);
  if (column.kind === 'bit') return `${name} + 0`;
  return isBinary(column) ? `LOWER(HEX(${name}))` : name;
};

/** A row is its moment, its tie, its bytes, then its cells. When there are too many bytes, those of varying size stay in the server. */
const selected = ({ moment, tie, columns }: Table): string => {
  const bytes = `(${rowBytes(columns)})`;
  const bounded = (column: TableColumn): string =>
    small.has(column.kind) ? cell(column) : `IF(${bytes} <= ${bounds.rowBytes}, ${cell(column)}, NULL)`;
  return [
    moment ? `DATE_FORMAT(${quote(moment.name)}, '%Y-%m-%dT%H:%i:%s.%fZ')` : "''",
    tieText(tie),
    bytes,
    ...columns.map(bounded),
  ].join(', ');
};

export const readRows = (table: Table, since: Place | undefined): string => {
  const order = [...(table.moment ? [quote(table.moment.name)] : []), tieOrder(table)];
  return `SELECT ${selected(table)} FROM ${table.quotedName} WHERE ${conditions(table, since)} ORDER BY ${order.join(', ')}`;
};

/** Any rows, as to sort a large table for three of them costs too much. */
export const sampleRows = (table: Table): string =>
  `SELECT ${selected(table)} FROM ${table.quotedName} WHERE ${conditions(table, undefined)} LIMIT ${bounds.sampleRows}`;

export const repeatedTie = ({ quotedName, tie }: Table): string =>
  `SELECT ${tieText(tie)} AS roster_tie FROM (SELECT ${quote(tie.name)} FROM ${quotedName} WHERE ${quote(tie.name)} IS NOT NULL
    LIMIT ${bounds.keyRows}) AS roster_rows GROUP BY BINARY roster_tie HAVING COUNT(*) > 1 LIMIT 1`;

/** The optimizer's estimate. */
export const estimateRows = (table: Table, since: Place | undefined): string =>
  `EXPLAIN FORMAT=JSON SELECT 1 FROM ${table.quotedName} WHERE ${conditions(table, since)}`;
