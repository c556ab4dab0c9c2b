/** Databricks SQL: https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-datatypes */
import { anyNumber, decimal, wholeNumber } from '../numbers.ts';
import { asItIs, type Kind } from '../sql/dialect.ts';
import { quotedBy } from '../sql/table-name.ts';
import { castTo, dayMoment, dialectOf, json, wholeTie, withoutZone } from '../warehouse/dialect.ts';

const asString = (column: string): string => `CAST(${column} AS STRING)`;

const digits = String.raw`'yyyy-MM-dd\'T\'HH:mm:ss.SSSSSS\'Z\''`;
/** Without them moments inside of values would have milliseconds, in the zone of the session. */
const formats = `'timeZone', 'UTC', 'timestampFormat', ${digits}, 'timestampNTZFormat', ${digits}`;

const asJson = (column: string): string => `TO_JSON(${column}, MAP(${formats}, 'ignoreNullFields', 'false'))`;
/** As the line of a file: no other function takes a zone, and the session has one that no request can set. */
const momentText = (column: string): string =>
  `CASE WHEN ${column} IS NOT NULL THEN TO_CSV(NAMED_STRUCT('m', ${column}), MAP(${formats})) END`;

const whole: Kind = { text: asString, read: wholeNumber, isSmall: true };
const number: Kind = { text: asString, read: anyNumber, isSmall: true };
const nested: Kind = { text: asJson, read: json };
const moment: Kind = { text: momentText, isSmall: true };

const kinds: Readonly<Record<string, Kind>> = {
  STRING: {},
  'STRING COLLATE': {},
  VARCHAR: {},
  CHAR: {},
  TINYINT: whole,
  SMALLINT: whole,
  INT: whole,
  BIGINT: whole,
  FLOAT: number,
  DOUBLE: number,
  DECIMAL: { text: asString, read: decimal, isSmall: true },
  BOOLEAN: { text: asString, read: (text) => text === 'true', isSmall: true },
  TIMESTAMP: moment,
  TIMESTAMP_NTZ: moment,
  DATE: { text: asString, isSmall: true },
  BINARY: { text: (column) => `HEX(${column})` },
  ARRAY: nested,
  MAP: nested,
  STRUCT: nested,
  VARIANT: nested,
};

/** Of `DECIMAL(20,2)`, `ARRAY<STRING>`, `STRING COLLATE UTF8_LCASE`: what the tables here name. */
export const kindOfType = (type: string): string =>
  /^[A-Z_]+(?: COLLATE\b)?/.exec(type.toUpperCase())?.[0] ?? type;

const text = { text: asItIs };
const wholeNumbers = wholeTie(asString, castTo('BIGINT'));

export const dialect = dialectOf({
  quote: quotedBy('`'),
  placeholder: (place) => `:p${place}`,
  bytes: (cell) => `OCTET_LENGTH(${cell})`,
  kinds,
  otherKind: { text: asString },
  moments: {
    TIMESTAMP: { text: momentText, value: castTo('TIMESTAMP'), hasZone: true },
    TIMESTAMP_NTZ: { text: momentText, value: castTo('TIMESTAMP_NTZ'), bind: withoutZone, hasZone: false },
    DATE: dayMoment((column) => `${asString(column)} || 'T00:00:00Z'`),
  },
  // No text with a collation: it counts different texts as one.
  ties: {
    STRING: text,
    VARCHAR: text,
    CHAR: text,
    TINYINT: wholeNumbers,
    SMALLINT: wholeNumbers,
    INT: wholeNumbers,
    BIGINT: wholeNumbers,
    DECIMAL: { text: asString },
  },
});
