/** Where HAProxy comes from: for tests of what a balancer sees. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLibraries, unpackDebian, writeLauncher } from './debian.ts';
import { createPlaces } from './places.ts';
import { type Say, type Source, sayOnStderr, search } from './search.ts';

const program = 'haproxy';
const entry = 'haproxy-debian';

const advice = `Install HAProxy 2.2 or later and try again:
  Debian, Ubuntu   sudo apt-get install haproxy
  Fedora           sudo dnf install haproxy
  macOS            brew install haproxy`;

const { installed, beside, kept, keep } = createPlaces(program, { least: '2.2', asks: '-v' });

const take = async (scraps: string, target: string, to: string): Promise<void> => {
  const root = await unpackDebian(program, scraps);
  await cp(join(root, 'usr/sbin', program), join(to, 'bin', program));
  await takeLibraries(root, join(to, 'lib'));
  await writeLauncher(target, join('bin', program));
};

const debian: Source = {
  title: "Debian's package haproxy",
  slow: "taking it out of Debian's package haproxy (2 MB)",
  find: () => keep(entry, take),
};

/** The path of an HAProxy that runs here; fetched when there is none. */
export const ensureHaproxy = ({ say = sayOnStderr }: { say?: Say } = {}): Promise<string> =>
  search({
    server: 'HAProxy',
    sources: [installed(program), beside(['/usr/sbin']), kept(entry), debian],
    advice,
    say,
  });
