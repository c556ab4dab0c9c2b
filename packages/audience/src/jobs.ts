/** What the thread is asked, and what it answers. */
import { AudienceFault } from './fault.ts';
import { prepareAudience } from './prepare.ts';
import { type PeopleTest, type Tested, testPeople } from './test-people.ts';

export type Job = { check: { audience: unknown; path: string } } | { test: PeopleTest };

/** Without `tested` it was a check, and nothing is wrong. `failed`: the thread has ended. */
export type AudienceReply = { tested?: Tested } | { fault: string } | { failed: string };

export const answer = (job: Job): AudienceReply => {
  try {
    if ('test' in job) return { tested: testPeople(job.test) };
    prepareAudience(job.check.audience, job.check.path);
    return {};
  } catch (error) {
    if (error instanceof AudienceFault) return { fault: error.message };
    throw error;
  }
};
