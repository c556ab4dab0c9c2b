/**
 * Parses JSON and keeps every digit of whole numbers: a number that a double cannot hold becomes a `bigint`. A JSON parser written in
 * JavaScript costs ten times as much, and a caller decides how much is parsed. So the platform's parser does the work, and only the long
 * numbers go through it as texts.
 */
import { randomBytes } from 'node:crypto';

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;

/** Shorter ones are held exactly by a double. */
export const longDigits = 16;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= zero && byte <= nine;

/** Whether a byte goes on with a number: a digit, or one of `+-.eE`. */
const isOfNumber = (byte: number | undefined): boolean =>
  isDigit(byte) || byte === minus || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Where the text ends that begins at this quote. */
export const endOfText = (bytes: Uint8Array, start: number): number => {
  let place = start + 1;
  for (; place < bytes.length && bytes[place] !== quote; place++) if (bytes[place] === backslash) place++;
  return place;
};

/** A name that is no text must stay wrong. */
const isName = (bytes: Uint8Array, end: number): boolean => {
  let place = end;
  while (isSpace(bytes[place])) place++;
  return bytes[place] === colon;
};

/** Where the number ends that begins here, as a negative number unless it is a long whole one. */
const endOfNumber = (bytes: Uint8Array, start: number): number => {
  const first = bytes[start] === minus ? start + 1 : start;
  let digits = first;
  while (isDigit(bytes[digits])) digits++;
  let end = digits;
  while (isOfNumber(bytes[end])) end++;
  const isWhole = end === digits && digits - first >= longDigits && bytes[first] !== zero;
  return isWhole && !isName(bytes, end) ? end : -Math.max(end, start + 1);
};

/** As many digits in a row have one of them at every such place: a body without them is seen through at once. */
const mayHoldLong = (bytes: Uint8Array): boolean => {
  for (let place = longDigits - 1; place < bytes.length; place += longDigits) {
    let [first, last] = [place, place];
    if (!isDigit(bytes[place])) continue;
    while (isDigit(bytes[first - 1])) first--;
    while (last - first + 1 < longDigits && isDigit(bytes[last + 1])) last++;
    if (last - first + 1 >= longDigits) return true;
  }
  return false;
};

/** Start, end, start, end: there may be very many. */
const longNumbersIn = (bytes: Uint8Array): number[] => {
  const places: number[] = [];
  if (!mayHoldLong(bytes)) return places;
  for (let place = 0; place < bytes.length; ) {
    const byte = bytes[place];
    if (byte === quote) place = endOfText(bytes, place) + 1;
    else if (isDigit(byte) || byte === minus) {
      const end = endOfNumber(bytes, place);
      if (end > 0) places.push(place, end);
      place = Math.abs(end);
    } else place++;
  }
  return places;
};

/** Random, and never leaves this process: no text of a caller begins with it. */
const secret = randomBytes(9).toString('base64url');
const opening = Buffer.from(`"${secret}`);

/** A native call costs as much as copying some thirty bytes. */
const copy = (from: Uint8Array, start: number, end: number, to: Buffer, at: number): number => {
  if (end - start > 32) to.set(from.subarray(start, end), at);
  else for (let place = start; place < end; place++) to[at + place - start] = from[place] ?? 0;
  return at + end - start;
};

/** With a text for each long number: the secret and its digits. */
const marked = (bytes: Uint8Array, places: readonly number[]): Buffer => {
  const all = Buffer.allocUnsafe(bytes.length + (places.length / 2) * (opening.length + 1));
  let [from, at] = [0, 0];
  for (let index = 0; index < places.length; index += 2) {
    const [start = 0, end = 0] = [places[index], places[index + 1]];
    at = copy(bytes, from, start, all, at);
    at = copy(opening, 0, opening.length, all, at);
    at = copy(bytes, start, end, all, at);
    all[at++] = quote;
    from = end;
  }
  return all.subarray(0, copy(bytes, from, bytes.length, all, at));
};

/** As a number where that holds it. */
export const narrowed = (whole: bigint): number | bigint => {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
};

/** What a text stands for: itself, or a number. */
type Revived = (text: string) => unknown;

/** By definition, not by assignment: `__proto__` is only a name here. */
const put = (holder: object, name: string, value: unknown): void => {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
};

/** Changes the value that it is given. */
const revive = (value: unknown, revived: Revived): unknown => {
  if (typeof value === 'string') return revived(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = revive(value[index], revived);
    return value;
  }
  for (const name of Object.keys(value)) {
    const inner: unknown = (value as Record<string, unknown>)[name];
    const next = revive(inner, revived);
    if (next !== inner) put(value, name, next);
  }
  return value;
};

const ofSecret: Revived = (text) =>
  text.startsWith(secret) ? narrowed(BigInt(text.slice(secret.length))) : text;

const anyLong = new RegExp(`\\d{${longDigits}}`);

/** Throws as `JSON.parse` does, and understands what it understands. */
export function parseExact(json: Buffer | string): unknown {
  if (typeof json === 'string' && !anyLong.test(json)) return JSON.parse(json);
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  const places = longNumbersIn(bytes);
  if (places.length === 0) return JSON.parse(bytes.toString('utf8'));
  return revive(JSON.parse(marked(bytes, places).toString('utf8')), ofSecret);
}

const marking =
  (mark: string) =>
  (_name: string, value: unknown): unknown =>
    typeof value === 'bigint' ? `${mark}${value}` : value;

const ofMarks = new RegExp(`"${secret}(-?\\d+)"`, 'g');

/** Nearly no value holds one, and for these it costs nothing. `indent`: as of `JSON.stringify`. */
export function stringifyExact(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, marking(secret), indent).replaceAll(ofMarks, '$1');
  }
}

/** Half a surrogate pair: no text that was accepted holds one. */
const half = '\ud800';

/** JSON that any parser reads, with texts for long numbers: for the way through the queue. */
export const packExact = (value: unknown): string => JSON.stringify(value, marking(half));

const halved = new RegExp(`^${half}-?\\d+$`);
const ofHalf: Revived = (text) => (halved.test(text) ? narrowed(BigInt(text.slice(1))) : text);

/** A copy, as it was packed: what it is made from may have to be packed again. */
export const unpackExact = (value: unknown): unknown => revive(structuredClone(value), ofHalf);

/** Whether there is a number in it that a double does not hold. */
export function holdsLong(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLong);
}

/** Turns `bigint` into numbers, as other parsers do: JSON schemas describe doubles. */
export function asDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asDoubles);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asDoubles(inner)]));
}

export const isWithin64Bits = (whole: bigint): boolean => BigInt.asIntN(64, whole) === whole;

/** Where the first number is that has more than 64 bits: `.a[3]`; `undefined` when there is none. */
export function placeBeyond64(value: unknown): string | undefined {
  if (typeof value === 'bigint') return isWithin64Bits(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const place = placeBeyond64(inner);
    if (place !== undefined) return `${Array.isArray(value) ? `[${name}]` : `.${name}`}${place}`;
  }
  return undefined;
}
