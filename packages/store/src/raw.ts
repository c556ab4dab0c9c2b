/** For reads that want to know how large a document is before they unpack it. */
import mongoose from 'mongoose';

const { deserialize } = mongoose.mongo.BSON;

/** What is stored was written by Roster, as UTF-8. To look at every character of it again takes longer than to read it. */
const trusting = { validation: { utf8: false } } as const;

export const documentIn = <Document>(bytes: Buffer): Document => deserialize(bytes, trusting) as Document;
