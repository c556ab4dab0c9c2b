export { type Apply, type ApplyOptions, createApply, createBatchApply } from './apply.ts';
export { chunks } from './chunks.ts';
export { inOrder } from './in-order.ts';
export { doubtful, joined, oldestOf } from './known.ts';
export type { Parts } from './parts.ts';
export { createReplies } from './replies.ts';
export { planInRounds, type Rule } from './rounds.ts';
export { type BatchReplacements, type Own, type Road, startBatchService } from './service.ts';
export type { Applied, Entries, Work } from './work.ts';
