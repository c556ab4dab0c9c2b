/** The types of PostgreSQL, and how its statements read them. */
import { parse as parseArray } from 'postgres-array';
import { anyNumber, decimal, jsonCell, wholeNumber } from '../numbers.ts';
import { asItIs, type Dialect, type SqlColumn } from '../sql/dialect.ts';
import type { Reader } from '../sql/rows.ts';
import { quoted } from '../sql/table-name.ts';

/** `kind` is a short name, `_` before it for an array; of a domain, the type below it. */
export interface TableColumn extends SqlColumn {
  readonly isEnum: boolean;
  /** Whether texts that differ are never equal in the order of the column. */
  readonly isExact: boolean;
}

/** `2026-01-31 23:59:59.5+00`, in a session whose zone is UTC. What has no zone is taken for UTC. Infinity and years BC stay texts. */
const moment: Reader = (text) =>
  /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?(\+00)?$/.test(text)
    ? `${text.replace(' ', 'T').replace('+00', '')}Z`
    : text;

const readers: Readonly<Record<string, Reader>> = {
  bool: (text) => text === 't',
  int2: Number,
  int4: Number,
  oid: Number,
  int8: wholeNumber,
  float4: anyNumber,
  float8: anyNumber,
  numeric: decimal,
  timestamptz: moment,
  timestamp: moment,
  json: jsonCell,
  jsonb: jsonCell,
};

/** `_int4` is the array of `int4`. */
export const readerOf = (type: string): Reader => {
  const element = /^_(.+)$/.exec(type)?.[1];
  if (element === undefined) return readers[type] ?? asItIs;
  const read = readers[element] ?? asItIs;
  return (text) => parseArray(text, read);
};

/** Their values have a few bytes. */
const small = new Set(
  'bool int2 int4 int8 float4 float8 oid uuid date time timetz timestamp timestamptz interval name char money'.split(
    ' ',
  ),
);

/** Their size is known without reading the value. */
const sized = new Set(['text', 'varchar', 'bpchar', 'citext']);

const momentKinds = ['timestamptz', 'timestamp', 'date'];
const wholeKinds = ['int2', 'int4', 'int8'];
const tieKinds = ['text', 'varchar', 'bpchar', 'citext', 'name', 'uuid', 'numeric', ...wholeKinds];

const plannedRows = (answer: string): number | undefined => {
  const [explained]: { Plan?: { 'Plan Rows'?: unknown } }[] = JSON.parse(answer);
  const rows = explained?.Plan?.['Plan Rows'];
  return typeof rows === 'number' ? rows : undefined;
};

export const dialect: Dialect<TableColumn> = {
  quote: quoted,
  /** It makes small letters of names without quotes. */
  folded: (name) => name.toLowerCase(),
  binder: (values) => (value) => `$${values.push(value)}`,
  nulls: 'last',
  smallBytes: 16,
  bytes: (text) => `octet_length(${text})::bigint`,
  kindOf({ kind }) {
    const kept = { read: readerOf(kind), isSmall: small.has(kind) };
    if (kind === 'bytea') return { ...kept, bytes: (column) => `2 * octet_length(${column})::bigint` };
    return sized.has(kind) ? kept : { ...kept, bytes: (column) => `octet_length(${column}::text)::bigint` };
  },
  momentOf({ kind }) {
    if (!momentKinds.includes(kind)) return undefined;
    const hasZone = kind === 'timestamptz';
    return {
      text(column) {
        const inUtc = hasZone ? `(${column} AT TIME ZONE 'UTC')` : column;
        return `to_char(${inUtc}::timestamp, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
      },
      value: (placeholder) => `${placeholder}::${kind}`,
      hasZone,
      isDay: kind === 'date',
    };
  },
  tieOf({ kind, type, isEnum, isExact }, isKey) {
    if (!tieKinds.includes(kind) && !isEnum) return undefined;
    const isWhole = wholeKinds.includes(kind);
    /** The order of a text is that of its bytes. */
    const isByText = !isExact || (isKey && !isWhole && kind !== 'uuid');
    const text = (column: string) => `${kind === 'numeric' ? `trim_scale(${column})` : column}::text`;
    // No `character` and no length: a cast to these would cut the value.
    const itself = isEnum ? type : quoted(kind);
    return {
      text,
      isWhole,
      order: (column) => (isByText ? `(${text(column)} COLLATE "C")` : column),
      value: (tie, bind) => `${bind(tie)}::${isByText ? 'text' : itself}`,
    };
  },
  earliest: '0001-01-01T00:00:00Z',
  now: (hasZone) => (hasZone ? 'now()' : "(now() AT TIME ZONE 'UTC') + interval '14 hours'"),
  // The zone of sessions unless they set one: that of this user, which this session has set to UTC, and those of others.
  clock: `SELECT to_char(min(now() AT TIME ZONE zone), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM (
    SELECT 'UTC' AS zone
    UNION SELECT reset_val FROM pg_catalog.pg_settings WHERE name = 'TimeZone'
    UNION SELECT substr(setting, 10) FROM pg_catalog.pg_db_role_setting, unnest(setconfig) AS setting
      WHERE lower(setting) LIKE 'timezone=%' AND setdatabase IN (0, (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
  ) AS zones`,
  says: { moment: 'a timestamp or a date', tie: 'a text, a UUID or a whole number', hidden: 'its schema' },
  // OFFSET 0 lets the size of a row be worked out once.
  select: ({ cells, bytes, from, rest }) =>
    `SELECT ${cells('roster_bytes')} FROM (SELECT *, ${bytes} AS roster_bytes FROM ${from} ${rest} OFFSET 0) AS roster_rows`,
  count: { select: 'EXPLAIN (FORMAT JSON) SELECT 1', read: plannedRows },
  tieGroup: '1',
};
