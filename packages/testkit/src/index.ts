export { accepted, acceptedExamples } from './accepted.ts';
export { leastWorkMs, threadMs, workMs } from './cpu.ts';
export { type Line, openLine } from './line.ts';
export { misfitsIn } from './misfits.ts';
export { type TestServer, testMongo, testRedis } from './servers.ts';
export { later, type TestStore, testStore, useStore } from './store.ts';
