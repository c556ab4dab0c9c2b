/** Holds what is stored to the shapes of packages/store. */
import { inspect } from 'node:util';
import { type Described, kindIn, type Members, recordNames, shapesByName } from '@roster/store';
import type mongoose from 'mongoose';

/** Each place in a value where it is not as described, and how. */
const misfitsOf = (value: unknown, described: Described, at: string): string[] => {
  const { is, fits, mayBeNull, members, items } = described;
  if (value === null && mayBeNull) return [];
  if (!fits(value)) return [`${at}: is ${inspect(value)}, which is not ${is}`];
  if (members) return misfitsAmong(Object(value), members, `${at}.`);
  if (!items) return [];
  return Object.entries<unknown>(Object(value)).flatMap(([name, one]) =>
    misfitsOf(one, items, `${at}.${name}`),
  );
};

const misfitsAmong = (stored: Readonly<Record<string, unknown>>, members: Members, before = ''): string[] => {
  const unknown = Object.keys(stored).filter((name) => !Object.hasOwn(members, name));
  return [
    ...unknown.map((name) => `${before}${name}: the shape has no such member`),
    ...Object.entries(members).flatMap(([name, described]) => {
      if (Object.hasOwn(stored, name)) return misfitsOf(stored[name], described, before + name);
      return described.mayBeAbsent ? [] : [`${before}${name}: is missing`];
    }),
  ];
};

/** The type of what is stored counts: a number of 64 bits is another one than a double. */
const exactly = { useBigInt64: true } as const;

/** The store does not know their other members. */
const records: ReadonlySet<string> = new Set(recordNames);

/** Every document of a database that its shape does not describe: its collection, `_id` and path. */
export const misfitsIn = async (db: mongoose.mongo.Db): Promise<string[]> => {
  const found: string[] = [];
  for (const collection of await db.collections()) {
    const name = collection.collectionName;
    const described = kindIn(name) ?? name;
    const shape = shapesByName.get(described);
    if (!shape) {
      found.push(`${name}: no shape describes this collection`);
      continue;
    }
    for await (const stored of collection.find({}, exactly)) {
      const known = records.has(described) ? { _id: stored._id } : stored;
      for (const misfit of misfitsAmong(known, shape)) found.push(`${name} ${inspect(stored._id)} ${misfit}`);
    }
  }
  return found;
};
