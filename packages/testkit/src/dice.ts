/** Chance in tests: all of it comes from the seed of the run (scripts/seed.cjs). */
const seed = Number(process.env.ROSTER_SEED ?? 1);

/** Mulberry32: small, and good enough to shuffle. Numbers between 0 and 1. */
export const createDice = (state = seed): (() => number) => {
  let at = state | 0;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** For a whole test file. */
export const dice = createDice();

export const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((one) => ({ one, place: dice() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
