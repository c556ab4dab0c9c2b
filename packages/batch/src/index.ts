export {
  type Applied,
  type Apply,
  type ApplyOptions,
  createApply,
  createBatchApply,
  type Entries,
  type Work,
} from './apply.ts';
export { inOrder } from './in-order.ts';
export type { Parts } from './parts.ts';
export { createReplies } from './replies.ts';
export { planInRounds, type Rule } from './rounds.ts';
export { type BatchReplacements, type Own, type Road, startBatchService } from './service.ts';
