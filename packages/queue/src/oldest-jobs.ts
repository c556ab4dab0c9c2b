/** Reads the oldest jobs of a line, within bounds. */
import type { Redis } from 'ioredis';
import type { Group } from './group.ts';

/** Only so many jobs are read. Requests accepted after them wait until some of them are finished. */
const mostJobs = 64;
const mostBytes = 4_000_000;

export interface Job {
  key: string;
  stamp: number;
}

/** How many of them can be read, the oldest first. */
const countThatFits = (sizes: readonly number[]): number => {
  let room = mostBytes;
  const full = sizes.findIndex((size) => {
    room -= size;
    return room < 0;
  });
  return full < 0 ? sizes.length : full;
};

/** The oldest jobs that fit, and the stamp of the first that does not. */
export const read = async (
  redis: Redis,
  jobs: readonly Job[],
): Promise<{ groups: Group[]; upTo: number }> => {
  const oldest = jobs.slice(0, mostJobs);
  const count = countThatFits(await Promise.all(oldest.map(({ key }) => redis.hstrlen(key, 'data'))));
  const texts = await Promise.all(oldest.slice(0, count).map(({ key }) => redis.hget(key, 'data')));
  // A job that is not there any more was finished meanwhile.
  const groups = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Group]));
  return { groups, upTo: jobs[count]?.stamp ?? Number.POSITIVE_INFINITY };
};
