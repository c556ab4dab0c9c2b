export { assertKnown, readArguments } from './arguments.ts';
export { ensureMongo } from './find/mongod.ts';

export { type Launched, launch } from './servers/launch.ts';
export { startMongo } from './servers/mongo.ts';
export { anyFreePort } from './servers/ports.ts';
export { startRedis } from './servers/redis.ts';
export type { Server } from './servers/server.ts';

export type { StackProcess } from './stack/part.ts';
export { removeStack } from './stack/remove.ts';
export type { Stack } from './stack/running.ts';
export { startStack } from './stack/stack.ts';
