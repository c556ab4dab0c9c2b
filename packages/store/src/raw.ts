/** For reads that want to know how large a document is before they unpack it. */
import mongoose from 'mongoose';

const { deserialize } = mongoose.mongo.BSON;

/** Integers of 64 bits are stored only where a double does not hold them. */
export const exactly = { useBigInt64: true } as const;

/** What is stored was written by Roster, as UTF-8. To look at every character of it again takes longer than to read it. */
const trusting = { ...exactly, validation: { utf8: false } } as const;

export const documentIn = <Document>(bytes: Buffer): Document => deserialize(bytes, trusting) as Document;
