/** Numbers that servers write as texts, and those in JSON. */
import { parseExact } from '@roster/contract';
import type { Cell } from './source.ts';

/** Beyond 2^53 a bigint. */
export const wholeNumber = (text: string): number | bigint => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
};

/** NaN and the infinities stay texts, as a number in JSON is finite. */
export const anyNumber = (text: string): number | string => {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
};

/** Whole decimals are exact; others become the nearest number, as in JSON. */
export const decimal = (text: string): number | bigint | string =>
  /^-?\d+$/.test(text) ? wholeNumber(text) : anyNumber(text);

const [least64, most64] = [-(2n ** 63n), 2n ** 64n - 1n];

/** Beyond 64 bits a number of JSON is a double, as everywhere. */
const within64 = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value >= least64 && value <= most64 ? value : Number(value);
  if (Array.isArray(value)) return value.map(within64);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within64(inner)]));
};

/** Whole numbers of 64 bits keep their digits. Throws as `JSON.parse` does. */
export const jsonCell = (text: string): Cell => {
  const value = parseExact(text);
  return (/\d{19}/.test(text) ? within64(value) : value) as Cell;
};
