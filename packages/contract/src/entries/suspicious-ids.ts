/** External ids that callers send by mistake, in any case and with any white space around them. */

const longestIn = new WeakMap<ReadonlySet<string>, number>();

/** Found once for each copy of the settings. */
const longestOf = (ids: ReadonlySet<string>): number => {
  const known = longestIn.get(ids);
  if (known !== undefined) return known;
  const longest = Math.max(0, ...[...ids].map(({ length }) => length));
  longestIn.set(ids, longest);
  return longest;
};

const isVisible = (code: number): boolean => code > 0x20 && code < 0x7f;

const mayBePadded = (id: string): boolean =>
  !isVisible(id.charCodeAt(0)) || !isVisible(id.charCodeAt(id.length - 1));

/** Most ids are longer than all of these: their case is not looked at, because that took 2 % of a request of 50 entries. */
export const isSuspicious = (id: string, ids: ReadonlySet<string>): boolean =>
  (id.length <= longestOf(ids) || mayBePadded(id)) && ids.has(id.trim().toLowerCase());
