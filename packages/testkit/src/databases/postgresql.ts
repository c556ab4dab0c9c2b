/** A PostgreSQL on loopback: fast rather than safe from a power cut. */
import { chownSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import {
  findProgram,
  firstAnswer,
  type Kind,
  makePrivateFolder,
  mustRun,
  type Server,
  type ServerOptions,
  startServer,
  type Take,
  takeLibraries,
  type User,
  unpackDebian,
  writeLauncher,
} from '@roster/local-stack';
import { openWay, otherUser } from './other-user.ts';

const program = 'postgres';
const versions = 'usr/lib/postgresql';

/** Where Debian's packages put each version; the latest first. */
const versionFolders = async (root: string): Promise<string[]> => {
  const names = await readdir(join(root, versions)).catch(() => []);
  return names.sort((a, b) => Number(b) - Number(a)).map((name) => join(root, versions, name, 'bin'));
};

/** `initdb` lies beside the server, which finds its other files from there. */
const take: Take = async (scraps, _target, to) => {
  const root = await unpackDebian('postgresql', scraps);
  const [bin] = await versionFolders(root);
  if (!bin) throw new Error('there is no server in the package');
  await cp(join(root, 'usr'), join(to, 'usr'), { recursive: true, verbatimSymlinks: true });
  await takeLibraries(root, join(to, 'lib'));
  for (const name of [program, 'initdb'])
    await writeLauncher(join(to, name), join(relative(root, bin), name));
};

/** The path of a PostgreSQL server that runs here, with `initdb` beside it; fetched when there is none. */
const ensurePostgresql = async (): Promise<string> =>
  findProgram({
    server: 'PostgreSQL',
    program,
    folders: await versionFolders('/'),
    least: '13.0',
    fetches: [
      {
        entry: 'postgresql-debian',
        title: "Debian's package postgresql",
        slow: "taking it out of Debian's package postgresql",
        take,
      },
    ],
    advice: `Install PostgreSQL 13 or later and try again:
  Debian, Ubuntu   sudo apt-get install postgresql
  Fedora           sudo dnf install postgresql-server
  macOS            brew install postgresql`,
  });

const superuser = 'postgres';
const password = 'roster';
const initMs = 300_000;

/** Asks for a session in the plainest form of its protocol. */
const startup = (): Buffer => {
  const body = Buffer.from(`user\0${superuser}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, body]);
};

/** It serves when it asks for the password. */
const settle = (port: number): Promise<void> =>
  firstAnswer(port, { say: startup(), isGood: (data) => data[0] === 'R'.charCodeAt(0) });

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // In its folder: what a killed server leaves behind goes with that.
  dynamic_shared_memory_type: 'mmap',
  max_prepared_transactions: '8',
};

const postgresql = (user: User | undefined): Kind => ({
  name: 'postgresql',
  program: ensurePostgresql,
  args: (dir, port) => [
    '-D',
    join(dir, 'data'),
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ],
  url: (port) => `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres`,
  settle,
  ...(user && { user }),
  // At once: on SIGTERM it waits for its clients.
  stopSignal: 'SIGINT',
});

/** A program in the home folder of root does not. */
const assertRunsAs = async (user: User, program: string): Promise<void> => {
  await mustRun(program, ['--version'], { timeoutMs: initMs, cwd: '/', ...user }).catch((error: Error) => {
    const advice = 'install PostgreSQL, or set ROSTER_CACHE to a folder that every user can enter';
    throw new Error(
      `${error.message}; PostgreSQL does not run as root, and user ${user.uid} can't run it: ${advice}`,
    );
  });
};

const initialise = async (dir: string, program: string, user: User | undefined): Promise<void> => {
  const data = join(dir, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return;
  const passwordFile = join(dir, 'password');
  mkdirSync(data, { mode: 0o700, recursive: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [dir, data, passwordFile]) chownSync(path, user.uid, user.gid);
  const place = ['-D', data, '-U', superuser, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const kind = ['-E', 'UTF8', '--locale=C', '--no-sync'];
  await mustRun(join(dirname(program), 'initdb'), [...place, ...kind], {
    timeoutMs: initMs,
    cwd: dir,
    ...user,
  });
  rmSync(passwordFile);
};

export const startPostgresql = async (options: ServerOptions): Promise<Server> => {
  const program = realpathSync(options.program ?? (await ensurePostgresql()));
  const user = otherUser('postgres', 'nobody');
  makePrivateFolder(options.dir);
  const dir = realpathSync(options.dir);
  if (user) {
    openWay(dir);
    await assertRunsAs(user, program);
  }
  await initialise(dir, program, user);
  return startServer(postgresql(user), { ...options, dir, program });
};
