import { type Answer, isAccepted } from './client.ts';

/** Of a request that waits, by itself or because it was asked to. */
export const isApplied = (answer: Answer): boolean =>
  isAccepted(answer) && answer.status !== 202 && !answer.body.includes('"queued"');
