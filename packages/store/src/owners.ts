/** The owner of an external id or alias. Every event asks for it, so the answers are read from the bytes: half the cost of a document. */
import type { Collection, Session } from './db.ts';
import type { IdentityDocument } from './documents.ts';
import { type Owner, ownerIn } from './owner-bytes.ts';

export const createOwnersOf =
  (identities: Collection<IdentityDocument>) =>
  async (keys: readonly string[], session?: Session): Promise<Map<string, Owner>> => {
    if (keys.length === 0) return new Map();
    const found = await identities
      .find<Buffer>(
        { _id: { $in: [...keys] } },
        { ...(session && { session }), batchSize: keys.length + 1, raw: true },
      )
      .toArray();
    return new Map(found.map(ownerIn));
  };
