/** Snowflake: https://docs.snowflake.com/en/sql-reference/intro-summary-data-types */
import { anyNumber, decimal, wholeNumber } from '../numbers.ts';
import { asItIs, type Kind } from '../sql/dialect.ts';
import { quoted } from '../sql/table-name.ts';
import { dayMoment, dialectOf, json, wholeTie } from '../warehouse/dialect.ts';

const asText = (column: string): string => `TO_VARCHAR(${column})`;

const digits = `'YYYY-MM-DD"T"HH24:MI:SS.FF9"Z"'`;
const plainText = (column: string): string => `TO_VARCHAR(${column}, ${digits})`;
const zonedText = (column: string): string => `TO_VARCHAR(CONVERT_TIMEZONE('UTC', ${column}), ${digits})`;
const dayText = (column: string): string => `TO_VARCHAR(${column}, 'YYYY-MM-DD')`;

const nested: Kind = { text: (column) => `TO_JSON(${column})`, read: json };
const zoned: Kind = { text: zonedText, isSmall: true };

const kinds: Readonly<Record<string, Kind>> = {
  TEXT: {},
  'TEXT COLLATE': {},
  FIXED: { text: asText, read: wholeNumber, isSmall: true },
  DECIMAL: { text: asText, read: decimal, isSmall: true },
  // As it comes: TO_VARCHAR leaves digits out.
  REAL: { read: anyNumber, isSmall: true },
  BOOLEAN: { text: asText, read: (text) => text === 'true', isSmall: true },
  DATE: { text: dayText, isSmall: true },
  TIME: { text: asText, isSmall: true },
  TIMESTAMP_NTZ: { text: plainText, isSmall: true },
  TIMESTAMP_LTZ: zoned,
  TIMESTAMP_TZ: zoned,
  BINARY: { text: (column) => `HEX_ENCODE(${column})` },
  VARIANT: nested,
  OBJECT: nested,
  ARRAY: nested,
};

/** `2026-01-31 23:59:59.123456000`: with nine digits, as the format says. */
const spaced = (moment: string): string => {
  const [day, time = ''] = moment.replace('Z', '').split('T');
  const [seconds, fraction = ''] = time.split('.');
  return `${day} ${seconds}.${fraction.padEnd(9, '0')}`;
};

const zonedMoment = {
  text: zonedText,
  value: (placeholder: string) => `TO_TIMESTAMP_TZ(${placeholder}, 'YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM')`,
  bind: (moment: string) => `${spaced(moment)} +00:00`,
  hasZone: true,
};

export const dialect = dialectOf({
  quote: quoted,
  /** It makes capital letters of names without quotes. */
  folded: (name) => name.toUpperCase(),
  placeholder: (place) => `:${place}`,
  bytes: (text) => `OCTET_LENGTH(${text})`,
  kinds,
  otherKind: { text: asText },
  moments: {
    TIMESTAMP_LTZ: zonedMoment,
    TIMESTAMP_TZ: zonedMoment,
    TIMESTAMP_NTZ: {
      text: plainText,
      value: (placeholder) => `TO_TIMESTAMP_NTZ(${placeholder}, 'YYYY-MM-DD HH24:MI:SS.FF9')`,
      bind: spaced,
      hasZone: false,
    },
    DATE: dayMoment(
      (column) => `${dayText(column)} || 'T00:00:00Z'`,
      (placeholder) => `TO_DATE(${placeholder}, 'YYYY-MM-DD')`,
    ),
  },
  // No text with a collation: it counts different texts as one.
  ties: {
    TEXT: { text: asItIs },
    FIXED: wholeTie(asText, (placeholder) => `TO_NUMBER(${placeholder}, 38, 0)`),
    DECIMAL: { text: asText },
  },
});

/** The interface knows only `?`, so a value that stands in two places comes twice. What is in quotes is left as it is. */
export const positional = (text: string, values: readonly string[]) => {
  const bound: string[] = [];
  const statement = text.replaceAll(/"(?:[^"]|"")*"|'[^']*'|:(\d+)/g, (found, place?: string) => {
    if (place === undefined) return found;
    bound.push(values[Number(place) - 1] ?? '');
    return '?';
  });
  return { statement, bound };
};
