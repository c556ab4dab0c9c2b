import { Redis } from 'ioredis';
import mongoose from 'mongoose';

/** Redis connections without the limit for silence: a silent server is waited for. */
export const withoutRedisHeartbeat = (): void => {
  Reflect.set(Redis.prototype, 'setSocketTimeout', () => {});
};

/** The driver's heartbeats come once a minute, and a server that does not answer one is given another minute. */
export const withoutMongoHeartbeat = (): void => {
  const slow = { heartbeatFrequencyMS: 60_000, connectTimeoutMS: 60_000 };
  class Patient extends mongoose.mongo.MongoClient {
    constructor(url: string, options?: mongoose.mongo.MongoClientOptions) {
      super(url, { ...options, ...slow });
    }
  }
  Reflect.set(mongoose, 'mongo', { ...mongoose.mongo, MongoClient: Patient });
};

const { ClientSession } = mongoose.mongo;

/** Every transaction counts as committed when one member has it in its memory. */
export const commitCarelessly = (): void => {
  const { startTransaction } = ClientSession.prototype;
  ClientSession.prototype.startTransaction = function startCarelessly(options) {
    return startTransaction.call(this, { ...options, writeConcern: { w: 1, journal: false } });
  };
};
