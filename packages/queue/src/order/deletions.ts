/**
 * Deletions that are accepted and not applied yet, and the identifiers that unfinished identity requests name. Entries about these
 * people that were accepted after such a deletion wait for it (docs/adr/order.md).
 */
import { hash } from 'node:crypto';
import { makingSecret, type Secrets } from '@roster/secrets';
import type { Redis } from 'ioredis';
import { luaStampOf, type Notice } from '../group.ts';
import { deletionsKey, namedKey, queueKey, queuesOf } from '../names.ts';
import { frontLength, newestByWorkspace } from './fence.ts';

/** Stands beside digests of emails and phones: unfinished requests may change who has one. */
const contactName = '*';

const isContact = (key: string): boolean => /^[^:]*:[mp]:/.test(key);

/** A digest of an identity key: the key cannot be read from it. */
export const nameDigest = (secret: string, key: string): string =>
  hash('sha256', `${secret}\n${key}`, 'base64url').slice(0, 12);

export const namesOf = (secrets: Secrets, keys: readonly string[]): string[] => {
  const names = new Set(keys.map((key) => nameDigest(makingSecret(secrets), key)));
  return keys.some(isContact) ? [...names, contactName] : [...names];
};

/**
 * A request with n names is noted while there are fewer notices than this number divided by n. Beyond that the identity workers are so far
 * behind that nothing waits for it.
 */
export const mostNames = 20_000;

/** Notices are removed with their requests. The next look removes notices of finished requests that a crash left behind. */
const lifeSeconds = 24 * 3600;

const noticeScript = `
local stamp, id, names, count = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('ZCARD', KEYS[1]) * count < ${mostNames} then
  redis.call('ZADD', KEYS[1], stamp, id .. ' ' .. names)
  redis.call('EXPIRE', KEYS[1], ${lifeSeconds})
end
if ARGV[5] == '1' then
  redis.call('ZADD', KEYS[2], stamp, id)
  redis.call('EXPIRE', KEYS[2], ${lifeSeconds})
end`;

const writeNotice = (redis: Redis, { ws, id, at, names, deletes }: Notice): Promise<unknown> =>
  redis.eval(
    noticeScript,
    2,
    ...[namedKey(ws), deletionsKey(ws)],
    ...[String(at), id, names.join(' '), names.length, deletes ? '1' : '0'],
  );

/** Called after the job was added and before the answer. So a notice without an unfinished job belongs to a finished request. */
export const writeNotices = async (redis: Redis, notices: readonly Notice[]): Promise<void> => {
  if (notices.length > 0) await Promise.all(notices.map((notice) => writeNotice(redis, notice)));
};

/** In one step: finds the lowest possible stamp of the oldest unfinished identity request, and removes all older notices. */
const tidyScript = `${luaStampOf}
local oldest = math.huge
local function look(ids)
  for _, id in ipairs(ids) do
    oldest = math.min(oldest, stampOf(id))
  end
end
local lists = tonumber(ARGV[1])
for place = 1, lists, 2 do
  look(redis.call('LRANGE', KEYS[place], -${frontLength}, -1))
  look(redis.call('LRANGE', KEYS[place + 1], 0, -1))
end
local last = oldest == math.huge and '+inf' or string.format('(%.0f', oldest)
for place = lists + 1, #KEYS do redis.call('ZREMRANGEBYSCORE', KEYS[place], '-inf', last) end`;

type DeletionQuestion = Pick<Notice, 'ws' | 'id' | 'at'>;

/** Per workspace: the stamp of the oldest unfinished deletion, and the digests of people named by unfinished identity requests. */
export interface Pending {
  oldest: number;
  names: ReadonlySet<string>;
  /** Some of them are named by a contact. */
  byContact: boolean;
}

const membersIn = (flat: readonly string[]) =>
  Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n] ?? '', Number(flat[2 * n + 1])] as const);

const identity = queuesOf('identity', 1).flatMap((queue) => [
  queueKey(queue, 'wait'),
  queueKey(queue, 'active'),
]);

const tidy = async (redis: Redis, workspaces: readonly string[]): Promise<void> => {
  const keys = workspaces.flatMap((ws) => [deletionsKey(ws), namedKey(ws)]);
  const all = [...identity, ...keys];
  await redis.eval(tidyScript, all.length, ...all, String(identity.length));
};

/** By workspace, the oldest deletions with their stamps, up to the number asked for. */
const oldestIn = async (redis: Redis, most: ReadonlyMap<string, number>) => {
  const reading = redis.pipeline();
  for (const [ws, count] of most) reading.zrange(deletionsKey(ws), 0, String(count - 1), 'WITHSCORES');
  const found = (await reading.exec()) ?? [];
  return new Map(
    [...most.keys()].map((ws, place) => {
      const [error, flat] = found[place] ?? [];
      if (error) throw error;
      return [ws, membersIn((flat ?? []) as string[])];
    }),
  );
};

/** By workspace, the oldest deletion that is older than some of the requests and not one of them. */
const oldestBefore = async (
  redis: Redis,
  requests: readonly DeletionQuestion[],
  apart: readonly DeletionQuestion[] = [],
): Promise<Map<string, number>> => {
  const own = new Set(apart.map(({ id }) => id));
  const latest = newestByWorkspace(requests);
  const counts = new Map([...latest.keys()].map((ws) => [ws, 1]));
  for (const { ws } of apart) counts.set(ws, (counts.get(ws) ?? 1) + 1);
  const found = new Map<string, number>();
  for (const [ws, members] of await oldestIn(redis, counts)) {
    const oldest = members.find(([id]) => !own.has(id))?.[1];
    if (oldest !== undefined && oldest < (latest.get(ws) ?? 0)) found.set(ws, oldest);
  }
  return found;
};

const readNames = async (redis: Redis, ws: string): Promise<Pick<Pending, 'names' | 'byContact'>> => {
  const notices = await redis.zrange(namedKey(ws), 0, '-1');
  const names = new Set(notices.flatMap((notice) => notice.split(' ').slice(1)));
  return { names, byContact: names.has(contactName) };
};

export const createDeletions = (redis: Redis) => ({
  /**
   * By workspace, the deletions for which requests that change no identity have to wait. Usually there are none, which takes one round trip.
   * Called before the snapshot is taken, so everything applied by then is in the snapshot.
   */
  async pendingFor(requests: readonly DeletionQuestion[]): Promise<ReadonlyMap<string, Pending>> {
    const suspected = await oldestBefore(redis, requests);
    if (suspected.size === 0) return new Map();
    await tidy(redis, [...suspected.keys()]);
    const theirs = requests.filter(({ ws }) => suspected.has(ws));
    const left = await oldestBefore(redis, theirs);
    const pending = [...left].map(
      async ([ws, oldest]) => [ws, { oldest, ...(await readNames(redis, ws)) }] as const,
    );
    return new Map(await Promise.all(pending));
  },

  /** By workspace, the oldest unfinished deletion that is not among these identity requests. */
  async before(requests: readonly DeletionQuestion[]): Promise<ReadonlyMap<string, number>> {
    const suspected = await oldestBefore(redis, requests, requests);
    if (suspected.size === 0) return suspected;
    await tidy(redis, [...suspected.keys()]);
    return oldestBefore(redis, requests, requests);
  },

  /** They are applied, or dead letters. */
  async finished(requests: readonly DeletionQuestion[]): Promise<void> {
    const workspaces = [...new Set(requests.map(({ ws }) => ws))];
    if (workspaces.length === 0) return;
    const removing = redis.pipeline();
    for (const ws of workspaces)
      removing.zrem(deletionsKey(ws), ...requests.filter((one) => one.ws === ws).map(({ id }) => id));
    for (const [error] of (await removing.exec()) ?? []) if (error) throw error;
    await tidy(redis, workspaces);
  },
});
