/** A MariaDB on loopback: fast rather than safe from a power cut. */
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  findProgram,
  firstAnswer,
  type Kind,
  makePrivateFolder,
  runCommand,
  type Server,
  type ServerOptions,
  startServer,
  type Take,
  takeLibraries,
  unpackDebian,
  writeLauncher,
} from '@roster/local-stack';

const program = 'mariadbd';

/** The tables of the server itself are made from files in `share`. */
const take: Take = async (scraps, target, to) => {
  const root = await unpackDebian('mariadb-server-core', scraps);
  await cp(join(root, 'usr/share/mysql'), join(to, 'share/mysql'), { recursive: true });
  await cp(join(root, 'usr/sbin', program), join(to, 'bin', program));
  await takeLibraries(root, join(to, 'lib'));
  await writeLauncher(target, join('bin', program));
};

/** The path of a MariaDB server that runs here; fetched when there is none. */
const ensureMariadb = (): Promise<string> =>
  findProgram({
    server: 'MariaDB',
    program,
    folders: ['/usr/sbin', '/usr/libexec'],
    least: '10.5',
    fetches: [
      {
        entry: 'mariadb-debian',
        title: "Debian's package mariadb-server-core",
        slow: "taking it out of Debian's package mariadb-server-core (7 MB)",
        take,
      },
    ],
    advice: `Install MariaDB 10.5 or later and try again:
  Debian, Ubuntu   sudo apt-get install mariadb-server
  Fedora           sudo dnf install mariadb-server
  macOS            brew install mariadb`,
  });

const user = 'roster';
const password = 'roster';
const initMs = 60_000;

const isRoot = (): boolean => process.getuid?.() === 0;

/** It has a greeting for each connection, whose version of the protocol is 10. */
const settle = (port: number): Promise<void> => firstAnswer(port, { isGood: (data) => data[4] === 10 });

/** Where the files are from which its own tables are made. */
const shareOf = (program: string): string => {
  const here = dirname(program);
  const places = [join(here, 'share/mysql'), join(here, '../share/mysql'), join(here, '../share/mariadb')];
  const found = places.find((place) => existsSync(join(place, 'mysql_system_tables.sql')));
  if (!found) throw new Error(`the files of ${program} are not found in ${places.join(' or ')}`);
  return found;
};

const basic = (dir: string, share: string): string[] => [
  '--no-defaults',
  `--datadir=${join(dir, 'data')}`,
  `--lc-messages-dir=${share}`,
  `--character-sets-dir=${join(share, 'charsets')}`,
  ...(isRoot() ? ['--user=root'] : []),
];

const kind = (share: string): Kind => ({
  name: 'mariadb',
  program: ensureMariadb,
  args: (dir, port) => [
    ...basic(dir, share),
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--socket=server.sock',
    '--skip-name-resolve',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-flush-method=nosync',
    '--skip-log-bin',
  ],
  url: (port) => `mysql://${user}:${password}@127.0.0.1:${port}/roster`,
  settle,
});

const files = ['mysql_system_tables.sql', 'mysql_performance_tables.sql', 'mysql_system_tables_data.sql'];

/** A statement ends where its line ends. */
const script = (share: string): string =>
  [
    'CREATE DATABASE mysql;',
    'USE mysql;',
    ...files.map((file) => readFileSync(join(share, file), 'utf8')),
    'FLUSH PRIVILEGES;',
    'CREATE DATABASE roster;',
    `CREATE USER '${user}'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO '${user}'@'%' WITH GRANT OPTION;`,
    '',
  ].join('\n');

const initialise = async (dir: string, program: string, share: string): Promise<void> => {
  mkdirSync(join(dir, 'data'), { mode: 0o700 });
  const args = [...basic(dir, share), '--bootstrap', '--skip-networking', '--socket=server.sock'];
  const bounds = { cwd: dir, timeoutMs: initMs, input: script(share) };
  const { ok, stderr } = await runCommand(program, args, bounds);
  if (!ok) throw new Error(`MariaDB made no tables of its own: ${stderr.slice(-2_000)}`);
};

export const startMariadb = async (options: ServerOptions): Promise<Server> => {
  const program = realpathSync(options.program ?? (await ensureMariadb()));
  const share = shareOf(program);
  makePrivateFolder(options.dir);
  if (!existsSync(join(options.dir, 'data'))) await initialise(options.dir, program, share);
  return startServer(kind(share), { ...options, program });
};
