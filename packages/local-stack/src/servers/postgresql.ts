/** A PostgreSQL on loopback, for tests: fast rather than safe from a power cut. */
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mustRun } from '../find/command.ts';
import { ensurePostgresql } from '../find/postgresql.ts';
import { firstAnswer } from './first-answer.ts';
import { makePrivateFolder } from './private-file.ts';
import { type Kind, type Server, type ServerOptions, startServer } from './server.ts';

const superuser = 'postgres';
const password = 'roster';
const initMs = 60_000;

/** It refuses to run as root. */
const otherUser = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const found = lines.find((line) => /^postgres:/.test(line)) ?? lines.find((line) => /^nobody:/.test(line));
  const [, , uid, gid] = found?.split(':') ?? [];
  if (!uid || !gid)
    throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
  return { uid: Number(uid), gid: Number(gid) };
};

const startup = (): Buffer => {
  const body = Buffer.from(`user\0${superuser}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, body]);
};

/** Asks for a session in the plainest form of its protocol; throws unless it is asked for the password. */
const settle = (port: number): Promise<void> =>
  firstAnswer(port, { say: startup(), isGood: (data) => data[0] === 'R'.charCodeAt(0) });

const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

const kind: Kind = {
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
  // At once: on SIGTERM it waits for its clients.
  stopSignal: 'SIGINT',
};

const initialise = async (dir: string, program: string, user: { uid: number; gid: number } | undefined) => {
  const data = join(dir, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return;
  const passwordFile = join(dir, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [dir, data, passwordFile]) chownSync(path, user.uid, user.gid);
  await mustRun(
    join(dirname(program), 'initdb'),
    [
      '-D',
      data,
      '-U',
      superuser,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { timeoutMs: initMs, cwd: dir, ...user },
  );
};

export const startPostgresql = async (options: ServerOptions): Promise<Server> => {
  const program = realpathSync(options.program ?? (await ensurePostgresql()));
  const user = otherUser();
  makePrivateFolder(options.dir);
  await initialise(options.dir, program, user);
  return startServer(user ? { ...kind, user } : kind, { ...options, program });
};
