/** What a body may hold, judged from counts that are taken before the body is parsed. */
import { Rejection } from './rejections.ts';

/** The counts of one scan over the bytes of a body. */
export interface BodyShape {
  bytes: number;
  /** Values of every kind: texts, numbers, objects and so on. */
  values: number;
  /** Objects and arrays. */
  containers: number;
  /** Different names of members. */
  names: number;
  /** Objects and arrays inside each other, the body itself included. */
  depth: number;
}

/** An entry that is nested deeper is refused, and the others go on. */
export const deepestEntry = 50;

/** Below this depth every step after the parser may recurse. */
export const deepestBody = 1000;

interface BodyLimit {
  readonly of: 'names' | 'containers' | 'values';
  readonly words: string;
  readonly most: number;
  /** A small body may hold fewer: 1,000, and one more for so many bytes. */
  readonly bytesForOne?: number;
}

/**
 * Measured with the parser of Node 20: a new name costs 1 to 3.5 us, an object or array 0.1 to 0.3 us, any other value 0.03 us.
 * They are set so that parsing takes no more than some 60 ms at the limits, and a refused body about 40 ns a byte.
 */
export const bodyLimits: readonly BodyLimit[] = [
  { of: 'names', words: 'different names', most: 25_000, bytesForOne: 64 },
  { of: 'containers', words: 'objects and arrays', most: 200_000, bytesForOne: 8 },
  { of: 'values', words: 'values', most: 1_000_000 },
];

const figure = (value: number): string => value.toLocaleString('en-US');

export function mostOf({ most, bytesForOne }: BodyLimit, bytes: number): number {
  return bytesForOne === undefined ? most : Math.min(most, 1000 + Math.floor(bytes / bytesForOne));
}

/** Why a body is refused before it is parsed, or nothing. */
export function bodyShapeFault(shape: BodyShape): Rejection | undefined {
  if (shape.depth > deepestBody) return new Rejection('BODY_TOO_DEEP');
  for (const limit of bodyLimits) {
    const most = mostOf(limit, shape.bytes);
    if (shape[limit.of] > most) return tooComplex(limit.words, shape, most);
  }
  return undefined;
}

function tooComplex(words: string, { bytes }: BodyShape, most: number): Rejection {
  const message = `The body holds more than ${figure(most)} ${words}, the most for ${figure(bytes)} bytes`;
  return new Rejection('BODY_TOO_COMPLEX', { message });
}

/** Whether objects and arrays stand deeper inside each other than `levels`. Goes no further than that. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
