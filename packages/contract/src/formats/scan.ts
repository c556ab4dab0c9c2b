/** One pass over the bytes of a body, before the parser. It makes nothing, so it costs 2 to 5 ns a byte whatever the body is. */

import { type BodyShape, deepestBody, mostParsed, mostShaped, shortText } from './body-shape.ts';
import { endOfText, longDigits } from './exact-json.ts';

const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const zero = 0x30;
const nine = 0x39;
const dot = 0x2e;
const smallE = 0x65;
const largeE = 0x45;

/**
 * The names seen so far, as marks in slots that a hash picks. Two names in one slot count once, so counts are a little too low: 8 % at the
 * limits. A caller cannot choose colliding names, because the hash begins with a random number of this process.
 */
const slots = 2 ** 18;
const marks = new Uint16Array(slots);
const drawn = Math.floor(Math.random() * 2 ** 32) | 0;
const prime = 16_777_619;
const { imul } = Math;
let mark = 0;

/** Hashes of the names of objects that are open, and where those of each level begin. */
const open = new Int32Array((deepestBody + 1) * (mostShaped + 1));
const begins = new Int32Array(deepestBody + 2);
/** Whether the value of an open name is a number that is no small whole one. */
const doubles = new Uint8Array(open.length);
const doubleKind = 0x9e3779b9 | 0;

/** A new mark instead of 512 KB of zeros. */
const nextMark = (): number => {
  mark = (mark + 1) & 0xffff;
  if (mark === 0) {
    marks.fill(0);
    mark = 1;
  }
  return mark;
};

/** 1 for what is new, and from now on it is not. */
const isNew = (hash: number, own: number): 0 | 1 => {
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  if (marks[slot] === own) return 0;
  marks[slot] = own;
  return 1;
};

/** With fewer digits a whole number has 31 bits for certain. */
const smallDigits = 9;

/** The number goes on with a fraction or an exponent, or is too long: the parser keeps it as a double. */
const isDouble = (next: number | undefined, digits: number): boolean =>
  next === dot || next === smallE || next === largeE || digits > smallDigits;

const endOfDigits = (bytes: Uint8Array, start: number): number => {
  let place = start + 1;
  for (; place < bytes.length; place++) {
    const byte = bytes[place] ?? 0;
    if (byte < zero || byte > nine) break;
  }
  return place;
};

const hashOf = (bytes: Uint8Array, start: number, end: number, seed: number): number => {
  let hash = seed;
  for (let place = start; place < end; place++) hash = imul(hash ^ (bytes[place] ?? 0), prime);
  return hash;
};

const isMarked = (hash: number, own: number): boolean => marks[(hash ^ (hash >>> 15)) & (slots - 1)] === own;

/**
 * The parser has a tree of shapes for each number of members: an object is a path in it. When the first number that is no small whole one comes in
 * a member, all shapes from there on are made anew, one by one as they are met.
 */
const newShapes = (begin: number, count: number, own: number, seed: number): number => {
  let [path, found] = [imul(seed ^ count, prime), 0];
  for (let place = begin; place < begin + count; place++) {
    path = imul(path ^ (open[place] ?? 0), prime);
    if (doubles[place]) isNew(path ^ doubleKind, own);
    if (isMarked(path ^ doubleKind, own)) path = imul(path ^ doubleKind, prime);
    found += isNew(path, own);
  }
  return found;
};

/** The name of an open object; gives the place of the next one. */
const hold = (hash: number, top: number): number => {
  doubles[top] = 0;
  open[top] = hash;
  return top + 1;
};

/** Read once: they are asked at every byte. */
const { shapes: mostShapes, texts: mostTexts } = mostParsed;
const [mostLevels, mostMembers, shortBytes, longNumber] = [
  deepestBody,
  mostShaped,
  shortText + 1,
  longDigits,
];

/** Of bytes that are no JSON the counts mean nothing, and the parser refuses them. A body that is past a limit is not looked at any further. */
export const scan = (bytes: Uint8Array, seed: number = drawn): Required<BodyShape> => {
  const own = nextMark();
  const { length } = bytes;
  let [depth, deepest, containers, commas, shapes, crowd, texts] = [0, 0, 0, 0, 0, 0, 0];
  let [top, textStart, textEnd, hash, longNumbers] = [0, 0, 0, 0, 0];
  let isValue = false;
  for (let place = 0; place < length; place++) {
    if (depth > mostLevels || shapes > mostShapes || texts > mostTexts) break;
    const byte = bytes[place] ?? 0;
    if (byte >= zero && byte <= nine) {
      const end = endOfDigits(bytes, place);
      if (end - place >= longNumber) longNumbers++;
      if (isValue && isDouble(bytes[end], end - place)) doubles[top - 1] = 1;
      place = end - 1;
      continue;
    }
    switch (byte) {
      case quote:
        textStart = place;
        textEnd = endOfText(bytes, place);
        place = textEnd;
        hash = textEnd - textStart > shortBytes ? 0 : hashOf(bytes, textStart, textEnd, seed);
        if (hash !== 0) texts += isNew(~hash, own);
        break;
      case colon:
        if (hash === 0) hash = hashOf(bytes, textStart, textEnd, seed);
        isValue = top - (begins[depth] ?? 0) <= mostMembers;
        if (isValue) top = hold(hash, top);
        else {
          crowd++;
          texts += isNew(~hash, own);
        }
        break;
      case comma:
        commas++;
        isValue = false;
        break;
      case openBrace:
      case openBracket:
        containers++;
        isValue = false;
        begins[++depth] = top;
        if (depth > deepest) deepest = depth;
        break;
      case closeBrace:
      case closeBracket: {
        if (depth === 0) break;
        const begin = begins[depth--] ?? 0;
        const count = top - begin;
        if (count > mostMembers) {
          crowd += count;
          for (let name = begin; name < top; name++) texts += isNew(~(open[name] ?? 0), own);
        } else if (count > 0) shapes += newShapes(begin, count, own, seed);
        top = begin;
        break;
      }
    }
  }
  const values = commas + containers;
  return { bytes: length, values, containers, shapes, crowd, texts, depth: deepest, longNumbers };
};
