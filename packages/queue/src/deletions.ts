/**
 * Deletions that are accepted and not applied yet, and the identifiers that unfinished identity requests name. Entries about these
 * people that were accepted after such a deletion wait for it (docs/adr/0032).
 */
import type { Redis } from 'ioredis';
import { deletionsKey, namedKey } from './names.ts';
import { type Asking, oldestBefore, tidy } from './oldest-notice.ts';
import { contactName } from './write-notices.ts';

/** Per workspace: the stamp of the oldest unfinished deletion, and the digests of people named by unfinished identity requests. */
export interface Pending {
  oldest: number;
  names: ReadonlySet<string>;
  /** Some of them by a contact. */
  byContact: boolean;
}

const readNames = async (redis: Redis, ws: string): Promise<Pick<Pending, 'names' | 'byContact'>> => {
  const notices = await redis.zrange(namedKey(ws), 0, '-1');
  const names = new Set(notices.flatMap((notice) => notice.split(' ').slice(1)));
  return { names, byContact: names.has(contactName) };
};

export const createDeletions = (redis: Redis) => ({
  /**
   * By workspace, what requests that change no identity have to wait for; usually nothing, which one round trip tells. Asked before
   * the snapshot is taken: requests that are applied by then are in it.
   */
  async pendingFor(requests: readonly Asking[]): Promise<ReadonlyMap<string, Pending>> {
    const suspected = await oldestBefore(redis, requests);
    if (suspected.size === 0) return new Map();
    await tidy(redis, [...suspected.keys()]);
    const left = await oldestBefore(
      redis,
      requests.filter(({ ws }) => suspected.has(ws)),
    );
    const pending = [...left].map(
      async ([ws, oldest]) => [ws, { oldest, ...(await readNames(redis, ws)) }] as const,
    );
    return new Map(await Promise.all(pending));
  },

  /** By workspace, the oldest unfinished deletion that is not among these identity requests. */
  async before(requests: readonly Asking[]): Promise<ReadonlyMap<string, number>> {
    const suspected = await oldestBefore(redis, requests, requests);
    if (suspected.size === 0) return suspected;
    await tidy(redis, [...suspected.keys()]);
    return oldestBefore(redis, requests, requests);
  },

  /** They are applied, or dead letters. */
  async finished(requests: readonly Asking[]): Promise<void> {
    const workspaces = [...new Set(requests.map(({ ws }) => ws))];
    if (workspaces.length === 0) return;
    const removing = redis.pipeline();
    for (const ws of workspaces)
      removing.zrem(deletionsKey(ws), ...requests.filter((one) => one.ws === ws).map(({ id }) => id));
    for (const [error] of (await removing.exec()) ?? []) if (error) throw error;
    await tidy(redis, workspaces);
  },
});
