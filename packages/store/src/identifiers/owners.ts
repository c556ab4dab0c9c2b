/** The owner of an external id or alias. Every event asks for it, so the answers are read from the bytes: half the cost of a document. */
import type { IdentityClaim } from '@roster/profile';
import mongoose from 'mongoose';
import type { Collection, Session } from '../connection/db.ts';
import type { IdentityDocument } from '../models/people.ts';

const { deserialize } = mongoose.mongo.BSON;

const doubleType = 1;
const stringType = 2;
/** Offsets in a document that begins with `_id: string`: BSON is length, then type, name, zero, value. */
const idLengthAt = 4 + 1 + '_id'.length + 1;
const idAt = idLengthAt + 4;
const beforeProfile = 1 + 'profile'.length + 1;
const beforeAt = 1 + 'at'.length + 1;
const beforeMoved = 1 + 'moved'.length + 1;
const doubleSize = 8;

const isNamed = (bytes: Buffer, place: number, type: number, name: string): boolean =>
  bytes[place] === type && bytes.toString('latin1', place + 1, place + 1 + name.length) === name;

/** For documents that were written in another order, or by hand. */
const readWhole = (bytes: Buffer): [key: string, owner: IdentityClaim] => {
  const { _id, profile, at, moved } = deserialize(bytes) as IdentityDocument;
  return [_id, { profile, at, ...(moved !== undefined && { moved }) }];
};

/** Few claims ever move. */
const movedIn = (bytes: Buffer, place: number): { moved?: number } =>
  isNamed(bytes, place, doubleType, 'moved') ? { moved: bytes.readDoubleLE(place + beforeMoved) } : {};

/** A document that holds `_id`, `profile`, `at` and maybe `moved` in this order; the lengths in BSON count a closing zero. */
const ownerIn = (bytes: Buffer): [key: string, owner: IdentityClaim] => {
  const idEnd = idAt + bytes.readInt32LE(idLengthAt);
  if (bytes[4] !== stringType || !isNamed(bytes, idEnd, stringType, 'profile')) return readWhole(bytes);
  const profileAt = idEnd + beforeProfile + 4;
  const profileEnd = profileAt + bytes.readInt32LE(profileAt - 4);
  if (!isNamed(bytes, profileEnd, doubleType, 'at')) return readWhole(bytes);
  const profile = bytes.toString('latin1', profileAt, profileEnd - 1);
  const at = bytes.readDoubleLE(profileEnd + beforeAt);
  const end = profileEnd + beforeAt + doubleSize;
  const owner = bytes[end] === 0 ? { profile, at } : { profile, at, ...movedIn(bytes, end) };
  return [bytes.toString('utf8', idAt, idEnd - 1), owner];
};

export const createOwnersOf =
  (identities: Collection<IdentityDocument>) =>
  async (keys: readonly string[], session?: Session): Promise<Map<string, IdentityClaim>> => {
    if (keys.length === 0) return new Map();
    const found = await identities
      .find<Buffer>(
        { _id: { $in: [...keys] } },
        { ...(session && { session }), batchSize: keys.length + 1, raw: true },
      )
      .toArray();
    return new Map(found.map(ownerIn));
  };

export type OwnersOf = ReturnType<typeof createOwnersOf>;
