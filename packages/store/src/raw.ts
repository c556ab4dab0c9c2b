/** For reads that want to know how large a document is before they unpack it. */
import mongoose from 'mongoose';

const { deserialize } = mongoose.mongo.BSON;

export const documentIn = <Document>(bytes: Buffer): Document => deserialize(bytes) as Document;
