/** Whole numbers within 64 bits: as a double where it holds them, else as a `bigint`. */

export const highest = 2n ** 63n - 1n;
export const lowest = -(2n ** 63n);

export const narrowed = (whole: bigint): number | bigint => {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
};

const isWhole = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

export interface Sum {
  sum: number | bigint;
  /** The sum reached the end of the range and stopped there. */
  isCut: boolean;
}

/** Exact for whole numbers; with a fraction among them they are added as doubles. */
export const add = (a: number | bigint, b: number | bigint): Sum => {
  if (!isWhole(a) || !isWhole(b)) return { sum: Number(a) + Number(b), isCut: false };
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b))
    return { sum: a + b, isCut: false };
  const exact = BigInt(a) + BigInt(b);
  if (exact > highest) return { sum: highest, isCut: true };
  return exact < lowest ? { sum: lowest, isCut: true } : { sum: narrowed(exact), isCut: false };
};

/** One text for each value, the same for equal values. */
export const keyOf = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one)) ?? '';
