export { answers, openConnection } from './connection.ts';
export { leaveEvents, takeEvents } from './events.ts';
export { isAboutAliases, isJobAboutAliases } from './group.ts';
export { type Computing, createComputing } from './guard/computing.ts';
export { createDeadLetters, type DeadLetter, type DeadLetters } from './guard/dead.ts';
export { createDeadLetterWriter } from './guard/dead-letter-writer.ts';
export { openWatch } from './guard/watch.ts';
export {
  allQueues,
  limitKey,
  profileQueues,
  type QueueName,
  queuesOf,
  scheduleOf,
  schedules,
  timetable,
} from './names.ts';
export { createDeletions, nameDigest, type Pending } from './order/deletions.ts';
export { createReadEarlier, type ReadEarlier } from './order/earlier.ts';
export {
  callersWait,
  createFence,
  createGate,
  createOldestBeside,
  type Fence,
  type Gate,
  type HeldUp,
  type OldestBeside,
  type OldestOf,
} from './order/fence.ts';
export { postponed } from './order/postponed.ts';
export {
  changePartitions,
  createPartitions,
  growing,
  growingTrack,
  knownOf,
  mostPartitions,
  type PartitionCounts,
  type Partitions,
  type Queues,
  readEach,
  readPartitions,
} from './partitions.ts';
export { type Commit, createProducer, type Producer, type Submission } from './produce/producer.ts';
export { stampToDate, takeStamps } from './produce/stamp.ts';
export { hasReplicas } from './replicas.ts';
export type { Reply } from './reply/pieces.ts';
export { reportProcess } from './report-process.ts';
export { idsOfStamp, refusedId, requestId, stampOfRequestId } from './request-id.ts';
export { assertSafe } from './safety.ts';
export {
  type AskedRun,
  type AskingRun,
  askNow,
  createSchedule,
  type Occasion,
  type Schedule,
} from './schedule/schedule.ts';
export { createTimetable } from './schedule/timetable.ts';
export { readSecretNotes, type SecretNote } from './secret-notes.ts';
export { chargeAhead, chargeBackground, chargeWork } from './share/charge-work.ts';
export { createLateCharges, type LateChargesOptions } from './share/late-charges.ts';
export { type Pressure, readGauge, shareOfMemory, watchPressure } from './share/pressure.ts';
export { readStarved, sentenceOf as starvedSentence } from './starved.ts';
export { Unavailable } from './unavailable.ts';
export type { OwnJobs } from './work/own-jobs.ts';
export { parkedSentence, readParked } from './work/parked.ts';
export { type BatchWorker, type BatchWorkerOptions, createBatchWorker } from './work/worker.ts';
