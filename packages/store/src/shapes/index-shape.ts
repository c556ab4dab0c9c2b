/** Indexes as they are declared: by collection and name. */
import type mongoose from 'mongoose';
import type { CollectionName } from './shapes.ts';

interface DeclaredIndex {
  key: Record<string, 1 | -1>;
  options?: Pick<
    mongoose.mongo.CreateIndexesOptions,
    'expireAfterSeconds' | 'partialFilterExpression' | 'unique'
  >;
  reason: string;
}

export interface Index extends DeclaredIndex {
  collection: CollectionName;
  name: string;
}

export type IndexTable = { readonly [Name in CollectionName]?: Readonly<Record<string, DeclaredIndex>> };

export const listed = (table: IndexTable): Index[] =>
  Object.entries(table).flatMap(([collection, indexes]) =>
    Object.entries(indexes).map(([name, index]) => ({
      collection: collection as CollectionName,
      name,
      ...index,
    })),
  );

/** By these members, upwards. */
export const by = (members: readonly string[], reason: string): DeclaredIndex => ({
  key: Object.fromEntries(members.map((member) => [member, 1])),
  reason,
});

/** The same as a partial index: of the documents that have one of these members, the last one unless said otherwise. */
export const partialBy = (
  members: readonly string[],
  reason: string,
  member = members.at(-1) ?? '',
): DeclaredIndex => ({
  ...by(members, reason),
  options: { partialFilterExpression: { [member]: { $exists: true } } },
});

export const atExpiry = (reason: string): DeclaredIndex => ({
  key: { expires: 1 },
  options: { expireAfterSeconds: 0 },
  reason,
});
