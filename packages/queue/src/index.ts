export { answers } from './answers.ts';
export { type Asked, type Asking, askNow } from './ask-now.ts';
export { callersWait } from './callers-wait.ts';
export { chargeBackground, chargeWork } from './charge-work.ts';
export { type Computing, createComputing } from './computing.ts';
export { openConnection } from './connection.ts';
export { createDeadLetters, type DeadLetters } from './dead.ts';
export { createDeadLetterWriter } from './dead-letter-writer.ts';
export { createDeletions, type Pending } from './deletions.ts';
export { createReadEarlier, type Earlier, type ReadEarlier } from './earlier.ts';
export { createErasures, type Erasure, type Erasures } from './erasures.ts';
export { leaveEvents, takeEvents } from './events.ts';
export { createFence, type Fence } from './fence.ts';
export { createGate, type Gate } from './gate.ts';
export { readGauge, shareOfMemory } from './gauge.ts';
export { createLateCharges, type LateCharges } from './late-charges.ts';
export type { DeadLetter } from './letters-in.ts';
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
export type { Occasion } from './occasion.ts';
export { createOldestBeside, type OldestBeside, type OldestOf } from './oldest-of-workspace.ts';
export type { OwnJobs } from './own-jobs.ts';
export { postponed } from './postponed.ts';
export { type Pressure, watchPressure } from './pressure.ts';
export { pressureLimits } from './pressure-limits.ts';
export { type Commit, createProducer, type Producer, type Submission } from './producer.ts';
export { connectTo } from './redis-url.ts';
export { replayErasures } from './replay-erasures.ts';
export type { Reply } from './reply-piece.ts';
export { refusedId, requestId, stampOfRequestId } from './request-id.ts';
export { assertSafe } from './safety.ts';
export { createSchedule, type Schedule } from './schedule.ts';
export { stampToDate, takeStamps } from './stamp.ts';
export { createTimetable } from './timetable.ts';
export { Unavailable } from './unavailable.ts';
export { type BatchWorker, type BatchWorkerOptions, createBatchWorker } from './worker.ts';
export { nameDigest } from './write-notices.ts';
