/** Where a genuine MariaDB comes from: for tests of what reads from one. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLibraries, unpackDebian, writeLauncher } from './debian.ts';
import { createPlaces } from './places.ts';
import { type Source, search } from './search.ts';

const least = '10.5';
const program = 'mariadbd';
const entry = 'mariadb-debian';

const advice = `Install MariaDB 10.5 or later and try again:
  Debian, Ubuntu   sudo apt-get install mariadb-server
  Fedora           sudo dnf install mariadb-server
  macOS            brew install mariadb`;

const { installed, beside, kept, keep } = createPlaces(program, least);

/** The tables of the server itself are made from files in `share`. */
const take = async (scraps: string, target: string, to: string): Promise<void> => {
  const root = await unpackDebian('mariadb-server-core', scraps);
  await cp(join(root, 'usr/share/mysql'), join(to, 'share/mysql'), { recursive: true });
  await cp(join(root, 'usr/sbin', program), join(to, 'bin', program));
  await takeLibraries(root, join(to, 'lib'));
  await writeLauncher(target, join('bin', program));
};

const debian: Source = {
  title: "Debian's package mariadb-server-core",
  slow: "taking it out of Debian's package mariadb-server-core (7 MB)",
  find: () => keep(entry, take),
};

/** The path of a MariaDB server that runs here; fetched when there is none. */
export const ensureMariadb = (): Promise<string> =>
  search({
    server: 'MariaDB',
    sources: [installed(program), beside(['/usr/sbin', '/usr/libexec']), kept(entry), debian],
    advice,
  });
