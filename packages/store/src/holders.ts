/** Reads the people who have an email, phone or push token: all of them or, when there are very many, only the people who may be chosen. The result is bounded. */
import type { Session } from './db.ts';
import { filterOf, type HolderLookup, type HolderOptions } from './holder-lookup.ts';
import type { Store } from './open-store.ts';

/** Of a contact with more holders, so many of those found first are read. */
const mostExamined = 20_000;

/** A thousand for each lookup, fewer when there are many: the memory of a batch is bounded. */
const mostOfEach = (lookups: number): number => Math.max(100, Math.min(1000, Math.floor(1e5 / lookups)));

export const readHolders = async <Person extends object>(
  { profiles }: Pick<Store, 'profiles'>,
  session: Session,
  all: readonly HolderLookup[],
  { since, projection, foremost }: HolderOptions,
): Promise<Person[]> => {
  const most = mostOfEach(all.length);

  const readForemost = (lookup: HolderLookup): Promise<Person[]> =>
    profiles
      .aggregate<Person>(
        [
          { $match: filterOf([lookup], since) },
          { $limit: mostExamined },
          { $project: projection },
          ...foremost(most),
        ],
        { session },
      )
      .toArray();

  /** All holders, if they are not too many; else by halves, down to the one lookup with so many holders. */
  const read = async (lookups: readonly HolderLookup[]): Promise<Person[]> => {
    const enough = 4 * lookups.length + most;
    const found = await profiles
      .find<Person>(filterOf(lookups, since), { session, batchSize: 10_000, projection, limit: enough + 1 })
      .toArray();
    if (found.length <= enough) return found;
    const [only, ...more] = lookups;
    if (only && more.length === 0) return readForemost(only);
    const half = lookups.length >> 1;
    return [...(await read(lookups.slice(0, half))), ...(await read(lookups.slice(half)))];
  };

  return all.length === 0 ? [] : read(all);
};
