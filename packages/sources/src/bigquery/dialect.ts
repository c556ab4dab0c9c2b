/** GoogleSQL: https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types */
import { anyNumber, decimal, wholeNumber } from '../numbers.ts';
import type { Cell } from '../source.ts';
import type { Dialect, Kind } from '../warehouse/dialect.ts';

/** BigQuery escapes inside of backquotes by a backslash. */
const quote = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

const asString = (column: string): string => `CAST(${column} AS STRING)`;
const asJson = (column: string): string => `TO_JSON_STRING(${column})`;
const parsed = (text: string): Cell => JSON.parse(text);

const digits = '%E4Y-%m-%dT%H:%M:%E6S';
const timestampText = (column: string): string => `FORMAT_TIMESTAMP('${digits}Z', ${column}, 'UTC')`;
const datetimeText = (column: string): string => `FORMAT_DATETIME('${digits}Z', ${column})`;
const dateText = (column: string): string => `FORMAT_DATE('%E4Y-%m-%d', ${column})`;

const whole: Kind = { text: asString, read: wholeNumber, isSmall: true };
const number: Kind = { text: asString, read: anyNumber, isSmall: true };
const exact: Kind = { text: asString, read: decimal, isSmall: true };
const truth: Kind = { text: asString, read: (text) => text === 'true', isSmall: true };

/** Both of its names, as the interface has used either. */
const kinds: Readonly<Record<string, Kind>> = {
  STRING: {},
  INTEGER: whole,
  INT64: whole,
  FLOAT: number,
  FLOAT64: number,
  NUMERIC: exact,
  BIGNUMERIC: exact,
  BOOLEAN: truth,
  BOOL: truth,
  TIMESTAMP: { text: timestampText, isSmall: true },
  DATETIME: { text: datetimeText, isSmall: true },
  DATE: { text: dateText, isSmall: true },
  TIME: { text: asString, isSmall: true },
  BYTES: { text: (column) => `TO_BASE64(${column})` },
};

const utcDay = (moment: string): string => moment.slice(0, 10);
const withoutZone = (moment: string): string => moment.replace('Z', '');

export const dialect: Dialect = {
  quote,
  tables: (parts) => [parts],
  placeholder: (place) => `@p${place}`,
  bytes: (text) => `BYTE_LENGTH(${text})`,
  kinds,
  // JSON, STRUCT, ARRAY, GEOGRAPHY, RANGE, and what may come.
  otherKind: { text: asJson, read: parsed },
  moments: {
    TIMESTAMP: {
      text: timestampText,
      value: (placeholder) => `CAST(${placeholder} AS TIMESTAMP)`,
      hasZone: true,
    },
    DATETIME: {
      text: datetimeText,
      value: (placeholder) => `CAST(${placeholder} AS DATETIME)`,
      bind: withoutZone,
      hasZone: false,
    },
    DATE: {
      text: (column) => `FORMAT_DATE('%E4Y-%m-%dT00:00:00Z', ${column})`,
      value: (placeholder) => `CAST(${placeholder} AS DATE)`,
      bind: utcDay,
      hasZone: false,
    },
  },
  ties: {
    STRING: { text: (column) => column, value: (placeholder) => placeholder },
    INTEGER: { text: asString, value: (placeholder) => `CAST(${placeholder} AS INT64)` },
    INT64: { text: asString, value: (placeholder) => `CAST(${placeholder} AS INT64)` },
    NUMERIC: { text: asString, value: (placeholder) => `CAST(${placeholder} AS NUMERIC)` },
    BIGNUMERIC: { text: asString, value: (placeholder) => `CAST(${placeholder} AS BIGNUMERIC)` },
  },
};
