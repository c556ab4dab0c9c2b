// A second Redis, started on what a power cut left behind.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { startRedis } from '@roster/local-stack';
import { Redis } from 'ioredis';

/** Not the port of last time: whoever lost the first Redis must not find this one. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

/** The directory in which Redis keeps its append-only file, or (from version 7 on) the directory of its files. */
const dataDir = (disk: string): string => {
  const entries = readdirSync(disk, { recursive: true, withFileTypes: true });
  const found = entries.find(({ name }) => name.startsWith('appendonly'));
  if (!found) throw new Error(`there is no append-only file on ${disk}`);
  return found.parentPath.endsWith('appendonlydir') ? dirname(found.parentPath) : found.parentPath;
};

export const openSpare = async (disk: string) => {
  const server = await startRedis({ dir: dataDir(disk), port: await freePort() });
  const redis = new Redis(server.url);
  return {
    redis,
    async close() {
      redis.disconnect();
      await server.stop();
    },
  };
};
