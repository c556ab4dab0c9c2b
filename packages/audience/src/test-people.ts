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
  /** Of the audiences, in words about a mistake. */
  path?: string;
}

export interface Tested {
  /** Of the first people: where patterns take too much work, the rest are left for another time. */
  holds: boolean[];
  /** Steps of patterns at characters that were paid for at most. */
  visits: number;
}

/** Throws an AudienceFault. */
export const testPeople = ({ audiences, people, now, path }: PeopleTest): Tested => {
  const { test, patterns } = readAll(audiences, (audience) => prepareAudience(audience, path));
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

/** `failed`: the thread has ended. */
export type AudienceReply = Tested | { fault: string } | { failed: string };

/** The work of the thread. */
export const answer = (asked: PeopleTest): AudienceReply => {
  try {
    return testPeople(asked);
  } catch (error) {
    if (error instanceof AudienceFault) return { fault: error.message };
    throw error;
  }
};
