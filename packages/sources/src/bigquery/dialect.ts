/** GoogleSQL: https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types */
import { anyNumber, decimal, wholeNumber } from '../numbers.ts';
import { asItIs, type Kind } from '../sql/dialect.ts';
import { castTo, dayMoment, dialectOf, json, wholeTie, withoutZone } from '../warehouse/dialect.ts';

/** BigQuery escapes inside of backquotes by a backslash. */
const quote = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

const asString = (column: string): string => `CAST(${column} AS STRING)`;
const asJson = (column: string): string => `TO_JSON_STRING(${column})`;

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

const wholeNumbers = wholeTie(asString, castTo('INT64'));
const decimalTie = { text: asString };

export const dialect = dialectOf({
  quote,
  placeholder: (place) => `@p${place}`,
  bytes: (text) => `BYTE_LENGTH(${text})`,
  kinds,
  // JSON, STRUCT, ARRAY, GEOGRAPHY, RANGE, and what may come.
  otherKind: { text: asJson, read: json },
  moments: {
    TIMESTAMP: { text: timestampText, value: castTo('TIMESTAMP'), hasZone: true },
    DATETIME: { text: datetimeText, value: castTo('DATETIME'), bind: withoutZone, hasZone: false },
    DATE: dayMoment((column) => `FORMAT_DATE('%E4Y-%m-%dT00:00:00Z', ${column})`),
  },
  ties: {
    STRING: { text: asItIs },
    INTEGER: wholeNumbers,
    INT64: wholeNumbers,
    NUMERIC: decimalTie,
    BIGNUMERIC: decimalTie,
  },
});
