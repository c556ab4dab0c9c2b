export { answers } from './answers.ts';
export { callersWait } from './callers-wait.ts';
export { chargeAhead, chargeBackground, chargeWork } from './charge-work.ts';
export { type Computing, createComputing } from './computing.ts';
export { openConnection } from './connection.ts';
export { createDeadLetters, type DeadLetter, type DeadLetters } from './dead.ts';
export { createDeadLetterWriter } from './dead-letter-writer.ts';
export { createDeletions, nameDigest, type Pending } from './deletions.ts';
export { createReadEarlier, type ReadEarlier } from './earlier.ts';
export { leaveEvents, takeEvents } from './events.ts';
export {
  createFence,
  createGate,
  createOldestBeside,
  type Fence,
  type Gate,
  type OldestBeside,
  type OldestOf,
} from './fence.ts';
export { createLateCharges } from './late-charges.ts';
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
export type { OwnJobs } from './own-jobs.ts';
export type { Reply } from './pieces.ts';
export { postponed } from './postponed.ts';
export { type Pressure, pressureLimits, readGauge, shareOfMemory, watchPressure } from './pressure.ts';
export { type Commit, createProducer, type Producer, type Submission } from './producer.ts';
export { refusedId, requestId, stampOfRequestId } from './request-id.ts';
export { assertSafe } from './safety.ts';
export {
  type Asked,
  type Asking,
  askNow,
  createSchedule,
  type Occasion,
  type Schedule,
} from './schedule.ts';
export { stampToDate, takeStamps } from './stamp.ts';
export { createTimetable } from './timetable.ts';
export { Unavailable } from './unavailable.ts';
export { openWatch } from './watch.ts';
export { type BatchWorker, type BatchWorkerOptions, createBatchWorker } from './worker.ts';
