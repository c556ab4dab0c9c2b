/** The nearest names to an unknown one: "did you mean". */

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

const isNear = (wrong: string, name: string): boolean =>
  distance(wrong.toLowerCase(), name.toLowerCase()) <= Math.max(2, wrong.length / 3);

export const suggestions = (wrong: string, names: readonly string[], most = 3): string[] =>
  names
    .filter((name) => isNear(wrong, name) || (wrong.length > 2 && name.includes(wrong)))
    .sort((one, other) => distance(wrong, one) - distance(wrong, other))
    .slice(0, most);

/** What to say after an unknown name: the names that were probably meant, or `otherwise`. */
export const didYouMean = (wrong: string, names: readonly string[], otherwise: string): string => {
  const near = suggestions(wrong, names);
  return near.length > 0 ? `Did you mean ${near.join(' or ')}?` : otherwise;
};
