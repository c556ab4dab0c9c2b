/** A bare socket is a client of PostgreSQL that stops in the middle of its sign-in. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { identityOf } from '@roster/local-stack';
import { bundleThread } from '../thread.ts';
import { until } from '../until.ts';
import { useFolder } from '../use-folder.ts';
import { startMariadb } from './mariadb.ts';
import { startPostgresql } from './postgresql.ts';

/** Starts a server in the folder of its argument, and tells of it. */
const contents = `
import { startPostgresql } from './postgresql.ts';
startPostgresql({ dir: process.argv[2] }).then(({ pid, port }) => process.send({ pid, port }));
setInterval(() => {}, 1000);
`;

/** A client that was let so far that the server waits for its password. */
const asClient = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const body = Buffer.from('\0\x03\0\0user\0postgres\0database\0postgres\0\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + body.length);
  socket.write(Buffer.concat([length, body]));
  await once(socket, 'data');
  return socket;
};

const inFolder = useFolder({ forEach: true });

it.each([
  ['PostgreSQL', startPostgresql],
  ['MariaDB', startMariadb],
])('%s starts, stops, and starts again with its data on the same port', async (_, start) => {
  const first = await start({ dir: inFolder() });
  await first.stop();
  expect(first.process.isRunning()).toBe(false);
  const second = await start({ dir: inFolder() });
  await second.stop();
  expect(second.port).toBe(first.port);
});

describe('PostgreSQL', () => {
  it('starts below a private folder, which stays private', async () => {
    chmodSync(inFolder(), 0o700);
    const server = await startPostgresql({ dir: inFolder('in', 'it') });
    await server.stop();
    expect(statSync(inFolder()).mode & 0o066).toBe(0);
    expect(statSync(inFolder('in', 'it')).mode & 0o077).toBe(0);
  });

  it('ends when the process that started it is killed, also while it has clients', async () => {
    const programs = inFolder('programs');
    await bundleThread(programs, { stdin: { contents, resolveDir: __dirname, sourcefile: 'starter.js' } });
    const args = [join(programs, 'stdin.mjs'), inFolder('data')];
    const starter = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [{ pid, port }] = (await once(starter, 'message')) as [{ pid: number; port: number }];
    const client = await asClient(port);
    starter.kill('SIGKILL');
    await until(() => !identityOf(pid));
    client.destroy();
  });
});
