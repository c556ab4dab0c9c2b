export { openTable, type ReadCredential, type Table, tableProblem } from './connect.ts';
export { isBefore, later, readCursor } from './cursor.ts';
export { endJob } from './end.ts';
export { entryOf, type Mapped } from './entry.ts';
export {
  beginJob,
  isId,
  lookBackOf,
  mostIntegrations,
  newIntegration,
  settingsOf,
} from './integration.ts';
export { createJudgeRows, type JudgeRows } from './judge-rows.ts';
export type { Layout } from './layout.ts';
export { mostOfOnePerson, requestKinds } from './request.ts';
export { nextRun, patternOf } from './schedule.ts';
