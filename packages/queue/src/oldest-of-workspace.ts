/** The oldest unfinished stamp of each workspace. */
import type { Redis } from 'ioredis';
import { mayHold } from './group-id.ts';
import type { QueueName } from './names.ts';
import { oldestOf, readLong, type Unfinished } from './unfinished.ts';

/** The jobs that may hold requests of a workspace. In a longer line its own jobs may follow the last one that was read, which stands first. */
export const ofWorkspace = (ws: string, queues: readonly Unfinished[]): Unfinished[] => {
  const mine = mayHold(ws);
  return queues.map(({ active, front, goesOn }) => ({
    active: active.filter(mine),
    front: front.filter((id, place) => mine(id) || (place === 0 && goesOn === true)),
  }));
};

/** The oldest stamp of the jobs that may hold requests of a workspace. */
export type OldestOf = (ws: string) => number;

/** For each workspace asked for, once. */
export const oldestByWorkspace = (queues: readonly Unfinished[], own: ReadonlySet<number>): OldestOf => {
  const known = new Map<string, number>();
  return (ws) => {
    const oldest = known.get(ws) ?? oldestOf(ofWorkspace(ws, queues), own);
    known.set(ws, oldest);
    return oldest;
  };
};

/** The oldest unfinished stamp of a workspace, without the jobs that begin with one of these stamps; infinite when there is no other job. */
export type OldestBeside = (own: ReadonlySet<number>) => Promise<OldestOf>;

export const createOldestBeside =
  (redis: Redis, queues: readonly QueueName[]): OldestBeside =>
  async (own) =>
    oldestByWorkspace(await readLong(redis, queues), own);
