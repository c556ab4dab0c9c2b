export { createAnswerCheck } from './answers.ts';
export {
  type BodyShape,
  bodyShapeFault,
  deepestBody,
  deepestEntry,
  parsing,
  parsingLimit,
  shortText,
} from './body-shape.ts';
export { createJudge, type Judge, type JudgeInput, type Verdict } from './judge.ts';
export { priceOf, priceOfReading, type Workload, weights } from './price.ts';
export { readQuery } from './query.ts';
export { scan } from './scan.ts';
export { aJudgeSettings } from './test-settings.ts';
export { createLookUp } from './validators.ts';
