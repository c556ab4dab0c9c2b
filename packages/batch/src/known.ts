/** Shared parts of loads: which claims are in doubt, and how the results of a round are added to those of the rounds before. */
interface Stamped {
  at: number;
}

export const oldestOf = (requests: readonly Stamped[]): number =>
  requests.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);

/** Keys without a claim, and keys with a claim that changed after the oldest request was accepted: the owner may have been another. */
export const doubtful = (
  keys: Iterable<string>,
  claims: ReadonlyMap<string, Stamped>,
  requests: readonly Stamped[],
): string[] => {
  const oldest = oldestOf(requests);
  return [...keys].filter((key) => (claims.get(key)?.at ?? Number.POSITIVE_INFINITY) > oldest);
};

/** A round mostly reads of one kind only: nothing is copied for the others. */
export const joined = <Value>(
  known: ReadonlyMap<string, Value>,
  more: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> => (more.size === 0 ? known : new Map([...known, ...more]));

/** Cuts a list into parts of at most so many. */
export const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, n) => values.slice(n * size, (n + 1) * size));
