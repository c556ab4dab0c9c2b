/**
 * Deletions that were applied, by service id, in Redis: they outlive MongoDB. After a restore from a backup they are replayed (docs/adr/0054).
 * No name of a person stands there.
 */
import type { Redis } from 'ioredis';
import { erasuresKey, erasuresSinceKey } from './names.ts';

/** One applied request. */
export interface Erasure {
  id: string;
  ws: string;
  /** The service ids of the people that it deleted, absorbed ones included. */
  profiles: string[];
}

const dayMs = 24 * 3600 * 1000;

/** Older backups need the files of `roster erasures list`. */
const keptMs = 35 * dayMs;
/** Some 130 MB when each deletes one person. */
const mostKept = 500_000;
/** A person with many absorbed ids takes several entries. */
const idsOfEntry = 50;
const readAtOnce = 1000;

/** What is dropped moves the start: a reader can tell how far back the log reaches. */
const script = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local log, since = KEYS[1], KEYS[2]
redis.call('SET', since, string.format('%.0f', now), 'NX')
for place = 3, #ARGV do redis.call('XADD', log, '*', 'e', ARGV[place]) end
local old = now - tonumber(ARGV[1])
redis.call('XTRIM', log, 'MINID', string.format('%.0f', old))
if redis.call('XTRIM', log, 'MAXLEN', ARGV[2]) > 0 then
  old = tonumber(string.match(redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1][1], '^%d+'))
end
if tonumber(redis.call('GET', since)) < old then redis.call('SET', since, string.format('%.0f', old)) end
return redis.call('GET', since)`;

const entriesOf = ({ id, ws, profiles }: Erasure): string[] =>
  Array.from({ length: Math.ceil(profiles.length / idsOfEntry) }, (_, part) =>
    JSON.stringify([id, ws, ...profiles.slice(part * idsOfEntry, (part + 1) * idsOfEntry)]),
  );

const erasureIn = (text: string): Erasure => {
  const [id = '', ws = '', ...profiles] = JSON.parse(text) as string[];
  return { id, ws, profiles };
};

export interface ErasureLimits {
  keptMs?: number;
  most?: number;
}

export const createErasures = (redis: Redis, limits: ErasureLimits = {}) => {
  const bounds = [limits.keptMs ?? keptMs, limits.most ?? mostKept];
  const add = async (texts: readonly string[]): Promise<number> =>
    Number(await redis.eval(script, 2, erasuresKey, erasuresSinceKey, ...bounds, ...texts));
  return {
    /** The same erasure twice does no harm. */
    async keep(erasures: readonly Erasure[]): Promise<void> {
      if (erasures.length > 0) await add(erasures.flatMap(entriesOf));
    },
    /** Since when every erasure is kept. In an empty Redis: from now on. */
    since: async (): Promise<Date> => new Date(await add([])),
    /** All, oldest first; several for one request when it has many people. */
    async *all(): AsyncGenerator<Erasure> {
      for (let from = '-'; ; ) {
        const found = await redis.xrange(erasuresKey, from, '+', 'COUNT', readAtOnce);
        for (const [, fields] of found) yield erasureIn(fields[1] ?? '[]');
        const last = found.at(-1);
        if (!last || found.length < readAtOnce) return;
        from = `(${last[0]}`;
      }
    },
  };
};

export type Erasures = ReturnType<typeof createErasures>;
