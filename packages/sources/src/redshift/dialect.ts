/**
 * Amazon Redshift: https://docs.aws.amazon.com/redshift/latest/dg/c_Supported_data_types.html. Values come as the texts of
 * PostgreSQL's protocol, so that most of them need no function.
 */
import { readerOf } from '../postgresql/dialect.ts';
import { asItIs, type Kind } from '../sql/dialect.ts';
import { quoted } from '../sql/table-name.ts';
import { castTo, dayMoment, dialectOf, json, wholeTie } from '../warehouse/dialect.ts';

/** The numbers of types in the protocol. Those above 2,000 are Redshift's own. */
const kindsByNumber: Readonly<Record<number, string>> = {
  16: 'bool',
  20: 'int8',
  21: 'int2',
  23: 'int4',
  25: 'text',
  700: 'float4',
  701: 'float8',
  1042: 'bpchar',
  1043: 'varchar',
  1082: 'date',
  1083: 'time',
  1114: 'timestamp',
  1184: 'timestamptz',
  1266: 'timetz',
  1700: 'numeric',
  4000: 'super',
  6551: 'varbyte',
};

export const kindOfNumber = (number: number): string => kindsByNumber[number] ?? `type ${number}`;

const small = (kind: string): [string, Kind] => [kind, { read: readerOf(kind), isSmall: true }];

const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    'bool int2 int4 int8 float4 float8 numeric date time timetz timestamp timestamptz'.split(' ').map(small),
  ),
  text: {},
  varchar: {},
  bpchar: {},
  super: { read: json, bytes: (column) => `JSON_SIZE(${column})` },
  varbyte: { text: (column) => `TO_HEX(${column})`, bytes: (column) => `2 * OCTET_LENGTH(${column})` },
};

/** Without a length it would cut values at 256 bytes. */
const asVarchar = (column: string): string => `CAST(${column} AS VARCHAR(65535))`;

const momentText = (column: string): string =>
  `TO_CHAR(${column}, 'YYYY-MM-DD') || 'T' || TO_CHAR(${column}, 'HH24:MI:SS.US') || 'Z'`;
const spaced = (moment: string): string => moment.replace('T', ' ').replace('Z', '');

const whole = wholeTie(asVarchar, castTo('INT8'));
const text = { text: asItIs };

export const dialect = dialectOf({
  quote: quoted,
  placeholder: (place) => `$${place}`,
  bytes: (cell) => `OCTET_LENGTH(${cell})`,
  kinds,
  otherKind: { text: asVarchar },
  moments: {
    timestamptz: {
      text: (column) => momentText(`(${column} AT TIME ZONE 'UTC')`),
      value: castTo('TIMESTAMPTZ'),
      bind: (moment) => `${spaced(moment)}+00`,
      hasZone: true,
    },
    timestamp: { text: momentText, value: castTo('TIMESTAMP'), bind: spaced, hasZone: false },
    date: dayMoment((column) => `TO_CHAR(${column}, 'YYYY-MM-DD') || 'T00:00:00Z'`),
  },
  ties: {
    text,
    varchar: text,
    bpchar: text,
    int2: whole,
    int4: whole,
    int8: whole,
    numeric: { text: asVarchar },
  },
});
