export { aJudgeSettings, createAnswerCheck, createLateJudge } from '@roster/judge';
export { accepted, acceptedExamples } from './accepted.ts';
export { appleKey, openApns } from './apns.ts';
export { assertKnown, readArguments } from './arguments.ts';
export { type TestBucket, testBucket } from './bucket.ts';
export { certificateFor } from './certificate.ts';
export {
  type ConsentChange,
  type ConsentEvent,
  type ConsentGroup,
  type ConsentModel,
  type ConsentPerson,
  type ConsentState,
  consentGroups,
  consentRoads,
  createConsentModel,
  movingEmails,
} from './consent.ts';
export { aContentBlock } from './content-block.ts';
export { contextIn, contextOf, testSecret, variablesOf } from './context.ts';
export { leastWorkMs, threadMs, workMs } from './cpu.ts';
export { createDice, dice, shuffled } from './dice.ts';
export { openGoogle } from './google.ts';
export { heldBytes } from './held-bytes.ts';
export { documentedPerson, hostedGroupsOf, hostedPeople } from './hosted-people.ts';
export { hostile, openHostile } from './hostile-databases.ts';
export { openHttp2 } from './http2.ts';
export { inLongRuns } from './in-long-runs.ts';
export { liftLimits, setLimits, unlimited } from './limits.ts';
export { type Line, openLine } from './line.ts';
export { bytesOf, listening, openServer, textOf, urlOf, usePeer } from './loopback.ts';
export { aDelivery, aSend, noCounts } from './messages.ts';
export { type NameQuestion, type NameReply, openNameServer, useNameServer } from './name-server.ts';
export { anEvent, aPurchase } from './occurrences.ts';
export { type ParquetOptions, writeParquet } from './parquet.ts';
export {
  aProfile,
  claimKeysOf,
  createReading,
  storeProfiles,
  type TestPerson,
} from './people.ts';
export {
  applyIdentity,
  createPeopleInMemory,
  demoWorkspace,
  type PeopleInMemory,
  plan,
} from './people-in-memory.ts';
export { problemsIn } from './problems.ts';
export { createPushSubscription } from './push-subscription.ts';
export { redisRights } from './redis-rights.ts';
export { type Member, openSentinels, type Sentinels } from './sentinels.ts';
export { foreignMongo, type TestServer, testMongo, testRedis, usedMongo } from './servers.ts';
export { serviceId } from './service-id.ts';
export { createSignal } from './signal.ts';
export { tokenIn } from './signed-token.ts';
export { later, patient, type TestStore, testStore, useStore } from './store.ts';
export { countSystemLookups } from './system-lookups.ts';
export { createTestCaller } from './test-caller.ts';
export { bundleThread, useThread } from './thread.ts';
export { until } from './until.ts';
export {
  startMariadb,
  startPostgresql,
  type TestDatabase,
  useMariadb,
  useMongod,
  usePostgresql,
} from './use-database.ts';
export { useFolder } from './use-folder.ts';
export { useRedis, useServers } from './use-servers.ts';
export { createWorldInMemory } from './world-in-memory.ts';
