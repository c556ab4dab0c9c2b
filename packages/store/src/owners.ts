/** Whose an external id or alias is. Every event asks this, so the answers are read from the bytes: half the cost of a document. */
import mongoose from 'mongoose';
import type { Collection, Session } from './db.ts';
import type { IdentityDocument } from './documents.ts';

const { deserialize } = mongoose.mongo.BSON;

const stringType = 2;
/** Where things are in a document that begins with `_id: string`: BSON is length, then type, name, zero, value. */
const idLengthAt = 4 + 1 + '_id'.length + 1;
const idAt = idLengthAt + 4;
const beforeProfile = 1 + 'profile'.length + 1;

const isAsExpected = (bytes: Buffer, next: number): boolean =>
  bytes[4] === stringType &&
  bytes[next] === stringType &&
  bytes.toString('latin1', next + 1, next + beforeProfile - 1) === 'profile';

/** `[_id, profile]` of a document that holds just these two; the lengths in BSON count a closing zero. */
const ownerIn = (bytes: Buffer): [key: string, profile: string] => {
  const idEnd = idAt + bytes.readInt32LE(idLengthAt);
  if (!isAsExpected(bytes, idEnd)) {
    const { _id, profile } = deserialize(bytes) as IdentityDocument;
    return [_id, profile];
  }
  const profileAt = idEnd + beforeProfile + 4;
  const profileEnd = profileAt + bytes.readInt32LE(profileAt - 4);
  return [bytes.toString('utf8', idAt, idEnd - 1), bytes.toString('latin1', profileAt, profileEnd - 1)];
};

export const createOwnersOf =
  (identities: Collection<IdentityDocument>) =>
  async (keys: readonly string[], session?: Session): Promise<Map<string, string>> => {
    if (keys.length === 0) return new Map();
    const found = await identities
      .find<Buffer>(
        { _id: { $in: [...keys] } },
        { ...(session && { session }), batchSize: keys.length + 1, projection: { profile: 1 }, raw: true },
      )
      .toArray();
    return new Map(found.map(ownerIn));
  };
