export { createApply } from './apply.ts';
export { subscriptionRequest } from './operations.ts';
export { startSubscription } from './start.ts';
