// For tests: what a request cost that cost nothing.
import type { Cost } from './judge.ts';

export const aCost = (more: Partial<Cost> = {}): Cost => ({
  status: 201,
  bytes: 200,
  senders: 1,
  isTakenIn: true,
  cpuMs: {},
  blockMs: {},
  peakMb: {},
  keptBytes: 0,
  died: [],
  deadLetters: 0,
  isSettled: true,
  refusedSteps: 0,
  ...more,
});
