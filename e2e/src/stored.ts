/** Everything that is stored, as something that can be compared: were it to change, it would show. */
import { kinds } from '@roster/store';
import type { System } from './system.ts';

const collections = ['profiles', 'identities', 'contacts', 'tombstones', 'requests'];

/** Sums over all documents of each collection, made by MongoDB itself, and every job of every queue. */
export const fingerprint = async ({ store, redis }: System): Promise<string> => {
  const generations = await Promise.all(kinds.map((kind) => store[kind].generations.all()));
  const all = [...collections, ...generations.flat().map(({ _id }) => _id)];
  const { collections: sums } = await store.db.command({ dbHash: 1, collections: all });
  const keys = (await redis.keys('{roster:*')).filter((key) =>
    /:(wait|active|prioritized|delayed|failed)$/.test(key),
  );
  const lengths = await Promise.all(
    keys.sort().map(async (key) => {
      const type = await redis.type(key);
      return [key, type === 'list' ? await redis.llen(key) : await redis.zcard(key)];
    }),
  );
  return JSON.stringify([sums, lengths.filter(([, length]) => length !== 0)]);
};
