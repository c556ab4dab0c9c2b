/** Chance from a seed: the same words give the same numbers, on every machine and at every time. */

/** FNV-1a. */
const numberOf = (words: readonly (string | number)[]): number => {
  let hash = 0x811c9dc5;
  for (const character of words.join('\u0000'))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

/** Mulberry32: small, and good enough for people who do not exist. */
export const chanceOf = (...words: (string | number)[]) => {
  let state = numberOf(words);
  /** From 0 to just below 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number, both ends included. */
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    pick: <Thing>(things: readonly [Thing, ...Thing[]]): Thing =>
      things[whole(0, things.length - 1)] ?? things[0],
    /** Some of them, in their order. */
    some<Thing>(things: readonly Thing[], count: number): Thing[] {
      const ranked = things.map((thing, i) => ({ thing, i, rank: next() }));
      const chosen = ranked.sort((one, other) => one.rank - other.rank).slice(0, count);
      return chosen.sort((one, other) => one.i - other.i).map(({ thing }) => thing);
    },
    happens: (share: number): boolean => next() < share,
  };
};

export type Chance = ReturnType<typeof chanceOf>;
