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
export { planInRounds, type Rule } from './rounds.ts';
