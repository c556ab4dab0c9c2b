/** Settings as they are stored, with what a file adds and changes: what the file leaves out is kept. */
import { labelOf } from './differences.ts';
import { isRecord } from './json.ts';

/** A file may name things of a company without their ids. */
const isSame = (stored: unknown, given: unknown): boolean =>
  isRecord(stored) && isRecord(given) && given.id === undefined && given.name !== undefined
    ? stored.name === given.name
    : labelOf(stored) === labelOf(given);

/** In the order of the file where it names everything, else the new ones last. */
const mergedList = (stored: unknown[], given: unknown[]): unknown[] => {
  const storedOf = (item: unknown) => stored.find((one) => isSame(one, item));
  const fresh = given.map((item) => mergedSettings(storedOf(item), item, true));
  const places = stored.map((one) => given.findIndex((item) => isSame(one, item)));
  if (!places.includes(-1)) return fresh;
  const added = fresh.filter((_, index) => storedOf(given[index]) === undefined);
  return [...stored.map((one, index) => fresh[places[index] ?? -1] ?? one), ...added];
};

/** The members of a list's item that hold named things; every other one, such as an audience, is replaced as a whole. */
const named: ReadonlySet<string> = new Set(['channels', 'teams']);

export const mergedSettings = (stored: unknown, given: unknown, isItem = false): unknown => {
  if (Array.isArray(stored) && Array.isArray(given)) return mergedList(stored, given);
  if (!isRecord(stored) || !isRecord(given) || stored.kind !== given.kind) return given;
  const members = Object.entries(given).map(([name, value]) => [
    name,
    isItem && !named.has(name) ? value : mergedSettings(stored[name], value, isItem),
  ]);
  return { ...stored, ...Object.fromEntries(members) };
};
