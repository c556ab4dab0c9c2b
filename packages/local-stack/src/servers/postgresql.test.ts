import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { identityOf } from './identity.ts';
import { startPostgresql } from './postgresql.ts';

const stack = pathToFileURL(join(__dirname, '../../dist/index.js')).href;

/** Starts a server in the folder of its argument, and tells of it. */
const program = `
import { startPostgresql } from ${JSON.stringify(stack)};
const { pid, port } = await startPostgresql({ dir: process.argv[1] });
process.send({ pid, port });
setInterval(() => {}, 1000);
`;

const untilGone = async (pid: number): Promise<void> => {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(20)) if (!identityOf(pid)) return;
  throw new Error('the server is still there');
};

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

describe('PostgreSQL', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'roster-postgresql-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('starts, stops, and starts again with its data on the same port', async () => {
    const first = await startPostgresql({ dir });
    await first.stop();
    expect(first.process.isRunning()).toBe(false);
    const second = await startPostgresql({ dir });
    await second.stop();
    expect(second.port).toBe(first.port);
  });

  it('starts below a private folder, which stays private', async () => {
    chmodSync(dir, 0o700);
    const server = await startPostgresql({ dir: join(dir, 'in', 'it') });
    await server.stop();
    expect(statSync(dir).mode & 0o066).toBe(0);
    expect(statSync(join(dir, 'in', 'it')).mode & 0o077).toBe(0);
  });

  it('ends when the process that started it is killed, also while it has clients', async () => {
    const args = ['--input-type=module', '-e', program, dir];
    const starter = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [{ pid, port }] = (await once(starter, 'message')) as [{ pid: number; port: number }];
    const client = await asClient(port);
    starter.kill('SIGKILL');
    await untilGone(pid);
    client.destroy();
  });
});
