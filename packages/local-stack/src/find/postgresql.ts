/** Where a genuine PostgreSQL comes from: for tests of what reads from one. */
import { cp, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { takeLibraries, unpackDebian, writeLauncher } from './debian.ts';
import { createPlaces } from './places.ts';
import { type Source, search } from './search.ts';

const least = '13.0';
const program = 'postgres';
const entry = 'postgresql-debian';

const advice = `Install PostgreSQL 13 or later and try again:
  Debian, Ubuntu   sudo apt-get install postgresql
  Fedora           sudo dnf install postgresql-server
  macOS            brew install postgresql`;

const { installed, beside, kept, keep } = createPlaces(program, least);

const versions = 'usr/lib/postgresql';

/** Where Debian's packages put each version; the latest first. */
const versionFolders = async (root: string): Promise<string[]> => {
  const names = await readdir(join(root, versions)).catch(() => []);
  return names.sort((a, b) => Number(b) - Number(a)).map((name) => join(root, versions, name, 'bin'));
};

/** `initdb` lies beside the server, which finds its other files from there. */
const take = async (scraps: string, _target: string, to: string): Promise<void> => {
  const root = await unpackDebian('postgresql', scraps);
  const [bin] = await versionFolders(root);
  if (!bin) throw new Error('there is no server in the package');
  await cp(join(root, 'usr'), join(to, 'usr'), { recursive: true, verbatimSymlinks: true });
  await takeLibraries(root, join(to, 'lib'));
  for (const name of [program, 'initdb'])
    await writeLauncher(join(to, name), join(relative(root, bin), name));
};

const debian: Source = {
  title: "Debian's package postgresql",
  slow: "taking it out of Debian's package postgresql",
  find: () => keep(entry, take),
};

/** The path of a PostgreSQL server that runs here, with `initdb` beside it; fetched when there is none. */
export const ensurePostgresql = async (): Promise<string> =>
  search({
    server: 'PostgreSQL',
    sources: [installed(program), beside(await versionFolders('/')), kept(entry), debian],
    advice,
  });
