/** The types of MySQL and MariaDB, and how their statements read them. Values are written into these as hexadecimal or digits, which need no quotes. */
import { attempted } from '../members.ts';
import { anyNumber, decimal, jsonCell, wholeNumber } from '../numbers.ts';
import { asItIs, type Dialect } from '../sql/dialect.ts';
import type { Reader } from '../sql/rows.ts';
import { quotedBy } from '../sql/table-name.ts';

/** What has no zone is taken for UTC. The zero date stays a text. */
const moment: Reader = (text) =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text) && !text.includes('-00')
    ? `${text.replace(' ', 'T')}Z`
    : text;

const flag: Reader = (text) => (text === '0' || text === '1' ? text === '1' : Number(text));

const readers: Readonly<Record<string, Reader>> = {
  tinyint: Number,
  smallint: Number,
  mediumint: Number,
  int: Number,
  year: Number,
  bigint: wholeNumber,
  bit: wholeNumber,
  float: anyNumber,
  double: anyNumber,
  decimal,
  datetime: moment,
  timestamp: moment,
  // MariaDB may have been told to check nothing.
  json: (text) => attempted(() => jsonCell(text), text),
};

const small = new Set(
  'tinyint smallint mediumint int bigint float double decimal date datetime timestamp time year uuid'.split(
    ' ',
  ),
);

const momentKinds = ['datetime', 'timestamp', 'date'];
const wholeKinds = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint'];
const textKinds = ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'uuid'];
const binaryKinds = ['binary', 'varbinary'];
const tieKinds = [...textKinds, ...binaryKinds, ...wholeKinds, 'decimal'];

/** Also what has a form of its own: shapes and vectors. */
const isBinaryKind = (kind: string): boolean =>
  binaryKinds.includes(kind) || /(blob|geometry|point|linestring|polygon|collection|vector)$/.test(kind);

const hex = (text: string): string => (text ? `0x${Buffer.from(text, 'utf8').toString('hex')}` : "''");

const number = (text: string): string => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error('this is no cursor of the table');
  return text;
};

const plannedRows = (answer: string): number | undefined => {
  const found = /"rows(?:_produced_per_join)?"\s*:\s*(\d+)/.exec(answer)?.[1];
  return found === undefined ? undefined : Number(found);
};

export const dialect: Dialect = {
  quote: quotedBy('`'),
  binder: () => hex,
  nulls: 'first',
  smallBytes: 32,
  bytes: (text) => `LENGTH(${text})`,
  kindOf({ type, kind }) {
    const isFlag = type === 'tinyint(1)' || type === 'bit(1)';
    const read = isFlag ? flag : (readers[kind] ?? asItIs);
    if (kind === 'bit') return { text: (column) => `${column} + 0`, read, isSmall: true };
    return isBinaryKind(kind)
      ? { text: (column) => `LOWER(HEX(${column}))`, bytes: (column) => `2 * LENGTH(${column})` }
      : { read, isSmall: small.has(kind) };
  },
  momentOf: ({ kind }) =>
    momentKinds.includes(kind)
      ? {
          text: (column) => `DATE_FORMAT(${column}, '%Y-%m-%dT%H:%i:%s.%fZ')`,
          value: (placeholder) => `CAST(CONVERT(${placeholder} USING utf8mb4) AS DATETIME(6))`,
          bind: (moment) => moment.replace('T', ' ').replace('Z', ''),
          hasZone: kind === 'timestamp',
          isDay: kind === 'date',
        }
      : undefined,
  tieOf({ kind }, isKey) {
    if (!tieKinds.includes(kind)) return undefined;
    const [isBinary, isWhole] = [isBinaryKind(kind), wholeKinds.includes(kind)];
    const isNumber = isWhole || (kind === 'decimal' && !isKey);
    const asText = (column: string) => `CONVERT(${column} USING utf8mb4)`;
    return {
      text: (column) => (isBinary ? `HEX(${column})` : asText(column)),
      isWhole,
      // Most collations hold texts for equal that are not the same, so texts are ordered by their bytes.
      order: (column) => (isBinary || isNumber ? column : `CAST(${asText(column)} AS BINARY)`),
      value(tie, bind) {
        if (isNumber) return number(tie);
        return isBinary ? `UNHEX(${bind(tie)})` : `CAST(${bind(tie)} AS BINARY)`;
      },
    };
  },
  earliest: '1000-01-01T00:00:00Z',
  now: (hasZone) => `UTC_TIMESTAMP(6)${hasZone ? '' : ' + INTERVAL 14 HOUR'}`,
  clock: `SELECT DATE_FORMAT(LEAST(UTC_TIMESTAMP(), COALESCE(CONVERT_TZ(UTC_TIMESTAMP(), '+00:00', @@global.time_zone), UTC_TIMESTAMP())),
    '%Y-%m-%dT%H:%i:%sZ')`,
  says: {
    moment: 'a datetime, a timestamp or a date',
    tie: 'a text, a binary or a whole number',
    hidden: 'it',
  },
  select: ({ cells, bytes, from, rest }) => `SELECT ${cells(`(${bytes})`)} FROM ${from} ${rest}`,
  count: { select: 'EXPLAIN FORMAT=JSON SELECT 1', read: plannedRows },
  tieGroup: 'BINARY roster_tie',
};
