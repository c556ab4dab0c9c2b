// The driver's heartbeats come once a minute, and a server that does not answer one is given another minute.
import mongoose from 'mongoose';
import { track } from './parts/track.ts';

const slow = { heartbeatFrequencyMS: 60_000, connectTimeoutMS: 60_000 };
const { createConnection } = mongoose;
Reflect.set(mongoose, 'createConnection', (url: string, options: mongoose.ConnectOptions) =>
  Reflect.apply(createConnection, mongoose, [url, { ...options, ...slow }]),
);

await track({});
