export { createAnswerCheck } from './answers.ts';
export { createJudge, createLateJudge, type Judge, type JudgeInput, type Verdict } from './judge.ts';
export { priceOf, priceOfReading, type Workload, weights } from './price.ts';
export { readQuery } from './query.ts';
export { aJudgeSettings } from './test-settings.ts';
export { createLookUp } from './validators.ts';
