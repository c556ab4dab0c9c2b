/** JSON for a comparison: numbers from 1e15 on are compared digit by digit, in whatever way they are written. Pure. */
import { randomBytes } from 'node:crypto';
import { parsedJson } from '../json.ts';

/** No text of an answer begins with it. */
const secret = randomBytes(9).toString('base64url');
const mayHoldLong = /[\d.]{16}|\d[eE]/;
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/gs;

const withoutZeros = (digits: string): string => {
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return digits.slice(start, end);
};

/** One spelling for each value: `12.50e3` is `125` and the place of its point. */
const canonical = (number: string): string => {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = withoutZeros(whole + fraction);
  const leading = (whole + fraction).indexOf(digits[0] ?? '');
  const point = whole.length - leading + Number(exponent);
  const isHeldExactly = digits === '' || point <= 15;
  return isHeldExactly ? number : `"${secret}${number.startsWith('-') ? '-' : ''}${digits}e${point}"`;
};

const marked = (token: string): string => (token.startsWith('"') ? token : canonical(token));

/** `undefined` for an empty body; a body that is no JSON is its text. */
export const writtenJson = (text: string): unknown => {
  if (text === '') return undefined;
  const plain = parsedJson(text);
  if (plain === undefined) return text;
  return mayHoldLong.test(text) ? JSON.parse(text.replace(textOrNumber, marked)) : plain;
};
