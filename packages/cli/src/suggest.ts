/** The nearest names to an unknown one: "did you mean". */
import { distance } from '@roster/contract';
import { missing, wrong } from './result.ts';

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

/** The one of these names, or an end that says which ones there are. */
export const knownName = <Name extends string>(names: readonly Name[], name: string, what: string): Name => {
  const found = names.find((one) => one === name);
  if (found !== undefined) return found;
  const near = didYouMean(name, names, `There are ${names.join(', ')}.`);
  throw wrong(`there is no ${what} ${name}. ${near}`);
};

/** The one with this id, or an end that says what there is instead. `what`: who lacks it, up to the id. */
export const named = <Thing extends { id: string }>(
  things: readonly Thing[],
  id: string,
  { what, otherwise, stop = missing }: { what: string; otherwise: string; stop?: typeof missing },
): Thing => {
  const found = things.find((one) => one.id === id);
  if (found) return found;
  const ids = things.map((one) => one.id);
  throw stop(`${what} ${id}. ${didYouMean(id, ids, otherwise)}`);
};
