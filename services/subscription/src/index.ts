export { type Apply, type ApplyOptions, createApply } from './apply.ts';
export { createOrphanSweep, type OrphanSweepOptions } from './orphans.ts';
export { startSubscription } from './start.ts';
