/** What a body may hold, judged from counts that are taken before the body is parsed. */
import { Rejection } from '../rejections/rejections.ts';

/** The counts of one scan over the bytes of a body. */
export interface BodyShape {
  bytes: number;
  /** Values of every kind: texts, numbers, objects and so on. */
  values: number;
  /** Objects and arrays. */
  containers: number;
  /**
   * Names of members: a name counts once for each different sequence of names that it ends, and once more when a member of that sequence gets
   * its first fraction. Those of objects with 128 members and more are texts.
   */
  shapes: number;
  /** Members of objects with 128 members and more. */
  crowd: number;
  /** Different texts of at most ten bytes, and names of objects with 128 members and more. */
  texts: number;
  /** Objects and arrays inside each other, the body itself included. */
  depth: number;
  /** Numbers of so many digits that a double may not hold them; none when it is left out. */
  longNumbers?: number;
}

/** An entry that is nested deeper is refused, and the others go on. */
export const deepestEntry = 50;

/** Below this depth every step after the parser may recurse. */
export const deepestBody = 1000;

/** The parser keeps larger objects as tables of names, which have no shape. */
export const mostShaped = 127;

/** The parser remembers so many shapes; beyond them each object costs as if its shape were new. */
const rememberedShapes = 1000;

/** The parser keeps a text of at most so many bytes only once. */
export const shortText = 10;

/**
 * Microseconds of the parser of Node 20, measured: it makes a new shape for each new sequence of names, keeps short texts once, and takes
 * 1.5 to 5 ns for each byte besides.
 */
export const parsing = {
  shape: { us: 1.2, words: 'sequences of names' },
  crowd: { us: 0.2, words: 'members of objects with 128 members and more' },
  text: { us: 0.4, words: 'different short texts' },
  container: { us: 0.1, afterManyShapes: 0.65, words: 'objects and arrays' },
  value: { us: 0.06, words: 'values' },
  longNumber: { us: 0.5, words: 'numbers of 16 digits or more' },
} as const;

/** So that a refused body costs less than 40 ns a byte and 1 ms, and parsing blocks the process for less than 100 ms on a slow machine. */
export const parsingLimit = { us: 500, usPerKilobyte: 30, most: 50_000 } as const;

/** More of one of these is too much, whatever the rest is. */
export const mostParsed = {
  shapes: parsingLimit.most / parsing.shape.us,
  texts: parsingLimit.most / parsing.text.us,
} as const;

const mostParsing = (bytes: number): number =>
  Math.min(parsingLimit.most, parsingLimit.us + (bytes / 1024) * parsingLimit.usPerKilobyte);

const containerUs = (shapes: number): number =>
  shapes > rememberedShapes ? parsing.container.afterManyShapes : parsing.container.us;

/** Microseconds, by what takes them. */
const partsOf = ({ shapes, crowd, texts, containers, values, longNumbers = 0 }: BodyShape) => [
  { count: shapes, us: shapes * parsing.shape.us, words: parsing.shape.words },
  { count: crowd, us: crowd * parsing.crowd.us, words: parsing.crowd.words },
  { count: texts, us: texts * parsing.text.us, words: parsing.text.words },
  { count: containers, us: containers * containerUs(shapes), words: parsing.container.words },
  { count: values, us: values * parsing.value.us, words: parsing.value.words },
  { count: longNumbers, us: longNumbers * parsing.longNumber.us, words: parsing.longNumber.words },
];

const figure = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Why a body is refused before it is parsed, or nothing. */
export function bodyShapeFault(shape: BodyShape): Rejection | undefined {
  if (shape.depth > deepestBody) return new Rejection('BODY_TOO_DEEP');
  const parts = partsOf(shape);
  const us = parts.reduce((sum, part) => sum + part.us, 0);
  const most = mostParsing(shape.bytes);
  if (us <= most) return undefined;
  const [first] = parts.toSorted((a, b) => b.us - a.us);
  const message = `Parsing the body would take about ${figure(us)} us, and ${figure(shape.bytes)} bytes may take ${figure(most)}: it holds ${figure(first?.count ?? 0)} ${first?.words}`;
  return new Rejection('BODY_TOO_COMPLEX', { message });
}

/** Whether objects and arrays stand deeper inside each other than `levels`. Goes no further than that. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
