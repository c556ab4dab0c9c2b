/** Tests people: at once for a thread, in slices for an event loop. */
import { setImmediate as breath } from 'node:timers/promises';
import type { Candidate } from './candidate.ts';
import { AudienceFault } from './fault.ts';
import { ofPatterns } from './limits.ts';
import { visitsOf } from './patterns.ts';
import { type PreparedFilter, prepareAudience, readAll } from './prepare.ts';

export interface PeopleTest {
  /** Who belongs to each of them. */
  audiences: readonly unknown[];
  people: readonly Candidate[];
  now: number;
}

export interface Tested {
  /** Of the first people: where patterns take too much work, the rest are left for another time. */
  holds: boolean[];
  /** Steps of patterns at characters that were paid for at most. */
  visits: number;
}

/** Throws an AudienceFault. */
export const testPeople = ({ audiences, people, now }: PeopleTest): Tested => {
  const { test, patterns } = readAll(audiences, prepareAudience);
  const holds: boolean[] = [];
  let visits = 0;
  for (const person of people) {
    const more = patterns.reduce((sum, one) => sum + visitsOf(one, person.attributes.get(one.attribute)), 0);
    if (holds.length > 0 && visits + more > ofPatterns.visits) break;
    visits += more;
    holds.push(test(person, now));
  }
  return { holds, visits };
};

/** Filters that are tested before the event loop has its turn: some milliseconds. */
const testsInARow = 5_000;

/** Of an audience without patterns. */
export const testInSlices = async (
  { test, filters }: Pick<PreparedFilter, 'test' | 'filters'>,
  people: readonly Candidate[],
  now: number,
): Promise<boolean[]> => {
  const atOnce = Math.max(1, Math.floor(testsInARow / Math.max(1, filters)));
  const holds: boolean[] = [];
  for (let from = 0; from < people.length; from += atOnce) {
    if (from > 0) await breath();
    holds.push(...people.slice(from, from + atOnce).map((person) => test(person, now)));
  }
  return holds;
};

/** The jobs of the thread. */
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
