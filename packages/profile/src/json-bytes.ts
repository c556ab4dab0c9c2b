/** The bytes of a value as JSON, counted without writing it. */
import type { Value } from './profile.ts';

const escaped = /["\\\b\f\n\r\t]/;

/** Quotes included. */
const stringBytes = (text: string): number => {
  let bytes = text.length + 2;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) bytes += beyondAscii(code);
    else if (code < 0x20 || code === 0x22 || code === 0x5c) bytes += escaped.test(text[i] ?? '') ? 1 : 5;
  }
  return bytes;
};

/** The bytes of a unit beyond the first: a pair of surrogates takes four bytes together. */
const beyondAscii = (code: number): number => (code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2);

/** Digits of small whole numbers, counted without writing them: there may be very many. */
const numberBytes = (value: number): number => {
  if (!Number.isInteger(value) || value < 0 || value >= 10_000) return String(value).length;
  return value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : 4;
};

export const jsonBytes = (value: Value): number => {
  if (typeof value === 'string') return stringBytes(value);
  if (typeof value === 'number') return numberBytes(value);
  if (typeof value !== 'object') return String(value).length;
  if (value === null) return 4;
  let bytes = 1;
  if (Array.isArray(value)) {
    for (const element of value) bytes += jsonBytes(element) + 1;
    return Math.max(bytes, 2);
  }
  for (const name of Object.keys(value)) bytes += stringBytes(name) + jsonBytes(value[name] ?? null) + 2;
  return Math.max(bytes, 2);
};

/** The bound of nested attributes and arrays of objects. */
export const mostNestedBytes = 100 * 1024;

export const isTooLarge = (value: Value): boolean =>
  typeof value === 'object' && value !== null && jsonBytes(value) > mostNestedBytes;
