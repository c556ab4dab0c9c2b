/** An index as it is declared. */
import type mongoose from 'mongoose';
import type { CollectionName } from './shapes.ts';

export interface Index {
  collection: CollectionName;
  name: string;
  key: Record<string, 1 | -1>;
  reason: string;
  options?: Pick<
    mongoose.mongo.CreateIndexesOptions,
    'expireAfterSeconds' | 'partialFilterExpression' | 'unique'
  >;
}

export const byExpiry = (collection: CollectionName, reason: string): Index => ({
  collection,
  name: 'by_expiry',
  key: { expires: 1 },
  options: { expireAfterSeconds: 0 },
  reason,
});
