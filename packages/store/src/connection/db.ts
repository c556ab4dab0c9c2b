/** The driver's own types, named once. */
import type mongoose from 'mongoose';

export type Db = mongoose.mongo.Db;
export type Client = mongoose.mongo.MongoClient;
export type Session = mongoose.mongo.ClientSession;
export type Collection<Document extends { _id: string | Buffer }> = mongoose.mongo.Collection<Document>;
