/** How the texts that PostgreSQL sends become plain values, by type. */
import { parse as parseArray } from 'postgres-array';
import { anyNumber, decimal, wholeNumber } from '../numbers.ts';
import type { Reader } from '../sql/rows.ts';

const asText: Reader = (text) => text;

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
  json: (text) => JSON.parse(text),
  jsonb: (text) => JSON.parse(text),
};

/** `_int4` is the array of `int4`. */
export const readerOf = (type: string): Reader => {
  const element = /^_(.+)$/.exec(type)?.[1];
  if (element === undefined) return readers[type] ?? asText;
  const read = readers[element] ?? asText;
  return (text) => parseArray(text, read);
};
