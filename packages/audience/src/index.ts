export type { Candidate } from './candidate.ts';
export { AudienceFault } from './fault.ts';
export { liftPatternLimits } from './limits.ts';
export { type Matching, openMatching } from './open-matching.ts';
export { type PreparedFilter, type ProfilePart, prepareAudience, readAll } from './prepare.ts';
export { testInSlices } from './test-people.ts';
