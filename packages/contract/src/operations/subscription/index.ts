/** Subscription groups: setting states, and reading states and their history. */
import { subscriptionHistory } from './history.ts';
import { subscriptionStatusGet, subscriptionUserStatus } from './reads.ts';
import { subscriptionStatusSet, subscriptionStatusSetV2 } from './set.ts';

export const subscriptionOperations = [
  subscriptionStatusSet,
  subscriptionStatusSetV2,
  subscriptionStatusGet,
  subscriptionUserStatus,
  subscriptionHistory,
] as const;
