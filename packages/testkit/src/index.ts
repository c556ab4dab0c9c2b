export { type Server, startRedis } from '@roster/local-stack';
export { accepted, acceptedExamples } from './accepted.ts';
export { type TestBucket, testBucket } from './bucket.ts';
export { certificateFor } from './certificate.ts';
export { aContentBlock } from './content-block.ts';
export { leastWorkMs, threadMs, workMs } from './cpu.ts';
export { heldBytes } from './held-bytes.ts';
export {
  assertRightsSuffice,
  refusedRights,
  withLeastRights,
} from './least-rights.ts';
export { type Line, openLine } from './line.ts';
export { misfitsIn } from './misfits.ts';
export { writeParquet } from './parquet.ts';
export { problemsIn } from './problems.ts';
export { type TestServer, testMongo, testRedis } from './servers.ts';
export { serviceId } from './service-id.ts';
export { later, type TestStore, testStore, useStore } from './store.ts';
export { type Answered, createTestCaller } from './test-caller.ts';
export { bundleThread } from './thread.ts';
export { useDatabase } from './use-database.ts';
export { useServers } from './use-servers.ts';
