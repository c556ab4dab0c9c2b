export { answers } from './answers.ts';
export { type Charge, chargeWork } from './charge-work.ts';
export { type ConnectionKind, openConnection } from './connection.ts';
export { createDeadLetters, type DeadLetter, type DeadLetters } from './dead.ts';
export { leaveEvents, takeEvents } from './events.ts';
export type { Cause } from './evidence.ts';
export { createFence, createOldestBeside, type Fence, type OldestBeside } from './fence.ts';
export { fingerprint, type StoredAnswer } from './idempotency.ts';
export { type Later, later } from './later.ts';
export { createLoadedCharges, type LoadedCharges } from './loaded-charges.ts';
export {
  allQueues,
  limitKey,
  profileQueues,
  type QueueFamily,
  type QueueName,
  queuesOf,
  type ScheduleName,
  scheduleOf,
  schedules,
} from './names.ts';
export { createPark, type ParkOptions } from './park.ts';
export type { Reply } from './pieces.ts';
export { type Gauge, type Pressure, type PressureLimits, readGauge, watchPressure } from './pressure.ts';
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
  type ScheduleOptions,
} from './schedule.ts';
export type { ErrorClass } from './settle.ts';
export { stampToDate, takeStamps } from './stamp.ts';
export type { BatchLimits } from './turns.ts';
export { Unavailable } from './unavailable.ts';
export { noWatch, openWatch, type Watch } from './watch.ts';
export { type BatchWorker, type BatchWorkerOptions, createBatchWorker } from './worker.ts';
