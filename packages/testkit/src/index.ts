export { type TestServer, testMongo, testRedis } from './servers.ts';
