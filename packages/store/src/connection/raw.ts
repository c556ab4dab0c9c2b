/** For reads that need the size of a document before they unpack it. */
import mongoose from 'mongoose';

const { deserialize } = mongoose.mongo.BSON;

/** Integers of 64 bits are stored only where a double does not hold them. */
export const exactly = { useBigInt64: true } as const;

/** Roster wrote all stored text as UTF-8. Checking every character again takes longer than reading it. */
const trusting = { ...exactly, validation: { utf8: false } } as const;

export const documentIn = <Document>(bytes: Buffer): Document => deserialize(bytes, trusting) as Document;
