export { createApply } from './apply.ts';
export { startSubscription } from './start.ts';
