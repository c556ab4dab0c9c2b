export { type Deed, recordChange } from './audit.ts';
export { hasTables, openRowLog, openTable, type Places, type Table, tableProblem } from './connect.ts';
export { isBefore, isBeyond, later, markOf, readCursor } from './cursor.ts';
export { type Entry, entryOf, type Mapped } from './entry.ts';
export {
  beginJob,
  endJob,
  isId,
  lookBackOf,
  mostIntegrations,
  newIntegration,
  settingsOf,
  windowAfter,
} from './integration.ts';
export { createJudgeRows, type JudgeRows } from './judge-rows.ts';
export { columnsOf, type Layout } from './layout.ts';
export { mostOfOnePerson, requestKinds, wayOf } from './request.ts';
export { nextRun, patternOf } from './schedule.ts';
