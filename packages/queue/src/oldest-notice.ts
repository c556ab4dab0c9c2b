/** The oldest notice in a workspace. */
import type { Redis } from 'ioredis';
import { luaStampOf } from './group-id.ts';
import { deletionsKey, namedKey, queueKey, queuesOf } from './names.ts';
import { frontLength } from './unfinished.ts';

/** At one moment: which stamp the oldest unfinished identity request has at least, and away with all that is older. */
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

export interface Asking {
  ws: string;
  id: string;
  at: number;
}

/** By workspace. */
const latestOf = (requests: readonly Asking[]): Map<string, number> => {
  const latest = new Map<string, number>();
  for (const { ws, at } of requests) latest.set(ws, Math.max(latest.get(ws) ?? 0, at));
  return latest;
};

type Members = readonly (readonly [id: string, stamp: number])[];

const membersIn = (flat: readonly string[]): Members =>
  Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n] ?? '', Number(flat[2 * n + 1])] as const);

const identity = queuesOf('identity', 1).flatMap((queue) => [
  queueKey(queue, 'wait'),
  queueKey(queue, 'active'),
]);

export const tidy = async (redis: Redis, workspaces: readonly string[]): Promise<void> => {
  const keys = workspaces.flatMap((ws) => [deletionsKey(ws), namedKey(ws)]);
  const all = [...identity, ...keys];
  await redis.eval(tidyScript, all.length, ...all, String(identity.length));
};

/** By workspace, the oldest deletions with their stamps: so many as asked for. */
const oldestIn = async (redis: Redis, most: ReadonlyMap<string, number>): Promise<Map<string, Members>> => {
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

/** By workspace, the oldest deletion that is older than some of the requests, apart from these. */
export const oldestBefore = async (
  redis: Redis,
  requests: readonly Asking[],
  apart: readonly Asking[] = [],
): Promise<Map<string, number>> => {
  const own = new Set(apart.map(({ id }) => id));
  const latest = latestOf(requests);
  const counts = new Map([...latest.keys()].map((ws) => [ws, 1]));
  for (const { ws } of apart) counts.set(ws, (counts.get(ws) ?? 1) + 1);
  const found = new Map<string, number>();
  for (const [ws, members] of await oldestIn(redis, counts)) {
    const oldest = members.find(([id]) => !own.has(id))?.[1];
    if (oldest !== undefined && oldest < (latest.get(ws) ?? 0)) found.set(ws, oldest);
  }
  return found;
};
