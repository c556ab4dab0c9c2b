export type { Candidate } from './candidate.ts';
export { AudienceFault, type Part, type Prepared, prepareAudience } from './prepare.ts';
