/** The number of letters to change, add or leave out. */
export const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

/** One letter of a short name, two of a longer one. */
const isNear = (name: string, known: string): boolean =>
  distance(name.toLowerCase(), known.toLowerCase()) <= (known.length < 6 ? 1 : 2);

/** The known name that was probably meant. Compares short names only. */
export const nearest = (name: string, known: readonly string[]): string | undefined =>
  known
    .filter((one) => name.length <= 64 && isNear(name, one))
    .sort((one, other) => distance(name, one) - distance(name, other))[0];

/** Behind what is said of an unknown name. */
export const didYouMean = (name: string, known: readonly string[]): string => {
  const near = nearest(name, known);
  return near === undefined ? '' : `: did you mean ${near}?`;
};
