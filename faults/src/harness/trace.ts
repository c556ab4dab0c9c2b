// Where a text still stands: in any document of MongoDB, any file of the stack, and what the monitor shows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLocal } from './npm-start.ts';
import type { System } from './system.ts';
import { until } from './wait.ts';

/** How often, by place; places without it are left out. */
export type Traces = Record<string, number>;

const countIn = (bytes: Buffer, texts: readonly string[]): number => {
  let found = 0;
  for (const text of texts)
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found++;
  return found;
};

/** All generations of events are one place. */
const placeOf = (collection: string): string => `mongo ${collection.replace(/_[0-9]+$/, '')}`;

/** The bare bytes of each document, so that no type can hide it. */
export const tracesInMongo = async ({ mongo }: System, texts: readonly string[]): Promise<Traces> => {
  const traces: Traces = {};
  for (const { name } of await mongo.listCollections({}, { nameOnly: true }).toArray()) {
    const documents = mongo.collection(name).find({}, { raw: true });
    for await (const document of documents) {
      const found = countIn(document as unknown as Buffer, texts);
      if (found > 0) traces[placeOf(name)] = (traces[placeOf(name)] ?? 0) + found;
    }
  }
  return traces;
};

/** Redis packs no text, so that it can't hide. */
export const packNothing = async ({ redis }: System): Promise<void> => {
  await redis.config('SET', 'rdbcompression', 'no');
};

/** Redis writes its files anew; what was written before is gone then. */
export const rewriteRedisFiles = async ({ redis }: System): Promise<void> => {
  await redis.bgrewriteaof();
  const isDone = async () =>
    /aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0/.test(await redis.info('persistence'));
  if ((await until(30_000, isDone)) === undefined)
    throw new Error('Redis did not rewrite its files within 30 s');
};

/** The keys that hold it: they explain why the files do. */
export const tracesInRedis = async ({ redis }: System, texts: readonly string[]): Promise<Traces> => {
  const traces: Traces = {};
  for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>)
    for (const key of keys) {
      const found = countIn((await redis.dumpBuffer(key)) ?? Buffer.alloc(0), texts);
      if (found > 0) traces[`redis ${key}`] = found;
    }
  return traces;
};

/** Logs, and all other files in the folder of the stack, except the files of MongoDB: its journal keeps removed data for a while. */
export const tracesInFiles = ({ dir }: System, texts: readonly string[]): Traces => {
  const traces: Traces = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const place = path.slice(dir.length + 1);
    if (!entry.isFile() || place.startsWith(join('data', 'mongo'))) continue;
    const found = countIn(readFileSync(path), texts);
    if (found > 0) traces[place] = found;
  }
  return traces;
};

const states = ['latest', 'active', 'waiting', 'completed', 'failed', 'delayed', 'paused'];

const shownBy = async (url: string): Promise<Buffer> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the monitor answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

/** All that the monitor's own page could ask for. */
export const tracesInMonitor = async ({ dir }: System, texts: readonly string[]): Promise<Traces> => {
  const { monitorUrl } = readLocal(dir);
  const api = `${monitorUrl}/board/api/queues`;
  const { queues } = JSON.parse(String(await shownBy(api))) as { queues: { name: string }[] };
  if (queues.length === 0) throw new Error('the monitor shows no queue');
  let found = 0;
  for (const { name } of queues)
    for (const status of states)
      found += countIn(
        await shownBy(
          `${api}?activeQueue=${encodeURIComponent(name)}&status=${status}&page=1&jobsPerPage=100`,
        ),
        texts,
      );
  return found > 0 ? { monitor: found } : {};
};
