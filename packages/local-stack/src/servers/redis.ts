/** A Redis that keeps what it has accepted: every write is on disk before it is answered, and a full memory refuses. */
import { ensureRedis } from '../find/redis.ts';
import type { Say } from '../find/search.ts';
import { aofAdvice } from './aof-advice.ts';
import { firstAnswer } from './first-answer.ts';
import { type Kind, type Server, type ServerOptions, startServer } from './server.ts';

export interface RedisOptions extends ServerOptions {
  maxmemory?: string;
  say?: Say;
}

const settings = (maxmemory: string): Record<string, string> => ({
  bind: '127.0.0.1',
  databases: '64',
  maxmemory,
  'maxmemory-policy': 'noeviction',
  appendonly: 'yes',
  appendfsync: 'always',
  'auto-aof-rewrite-percentage': '100',
  'auto-aof-rewrite-min-size': '64mb',
  // What a crash cut short at the very end was never answered.
  'aof-load-truncated': 'yes',
  save: '',
});

/** Asks in the plainest form of its protocol; throws unless the answer is PONG. */
const ping = (port: number): Promise<void> =>
  firstAnswer(port, { say: 'PING\r\n', isGood: (data) => String(data) === '+PONG\r\n' });

const redis = (maxmemory: string, say: Say | undefined): Kind => ({
  name: 'redis',
  program: () => ensureRedis(say),
  args: (dir, port) =>
    Object.entries({ port: String(port), dir, ...settings(maxmemory) }).flatMap(([name, value]) => [
      `--${name}`,
      value,
    ]),
  url: (port) => `redis://127.0.0.1:${port}`,
  settle: ping,
  advice: aofAdvice,
});

export const startRedis = ({ maxmemory, say, ...options }: RedisOptions): Promise<Server> =>
  startServer(redis(maxmemory ?? (process.env.ROSTER_REDIS_MAXMEMORY || '1gb'), say), options);
