export { createAnswer } from './handlers.ts';
export { createFail } from './jobs/fail.ts';
export { type Lease, takeJob } from './jobs/lease.ts';
export { bodyOf } from './jobs/outcomes.ts';
export { createRunJob, type RunOptions } from './jobs/run.ts';
export type { Sender } from './jobs/sender.ts';
export { startIntegrations } from './start.ts';
