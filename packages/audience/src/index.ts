export type { Candidate } from './candidate.ts';
export { AudienceFault, type Part, type Prepared, prepareAll, prepareAudience } from './prepare.ts';
