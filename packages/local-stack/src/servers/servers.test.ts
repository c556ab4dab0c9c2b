import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withAdmin } from './driver.ts';
import { startMongo } from './mongo.ts';
import { startRedis } from './redis.ts';
import type { Server } from './server.ts';

/** One command in the plainest form of Redis's protocol. */
const ask = (port: number, command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data).trim().replaceAll('\r\n', ' '));
    });
  });

describe('the servers of the local stack', () => {
  let dir = '';
  const up: Server[] = [];
  const start = async (server: Promise<Server>): Promise<Server> => {
    up.push(await server);
    return server;
  };
  const crash = async (server: Server): Promise<void> => {
    process.kill(server.pid, 'SIGKILL');
    await server.process.exited;
  };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'roster-servers-'));
  });
  afterEach(async () => {
    await Promise.all(up.splice(0).map((server) => server.stop()));
    await rm(dir, { recursive: true });
  });

  describe('Redis', () => {
    it('keeps what it has answered, and refuses rather than forgets', async () => {
      const { port } = await start(startRedis({ dir, maxmemory: '64mb' }));
      const setting = (name: string) => ask(port, `CONFIG GET ${name}`);
      expect(await setting('appendfsync')).toContain('always');
      expect(await setting('appendonly')).toContain('yes');
      expect(await setting('maxmemory-policy')).toContain('noeviction');
      expect(await setting('maxmemory')).toContain('67108864');
      expect(await setting('save')).toBe('*2 $4 save $0');
      expect(await setting('bind')).toContain('127.0.0.1');
    });

    it('comes up again on its data and its port after kill -9', async () => {
      const first = await start(startRedis({ dir }));
      await ask(first.port, 'SET a 1');
      await crash(first);
      const second = await start(startRedis({ dir }));
      expect([second.url, await ask(second.port, 'GET a')]).toEqual([first.url, '$1 1']);
    });

    it('takes over from one that was left behind in its folder', async () => {
      const first = await start(startRedis({ dir }));
      const second = await start(startRedis({ dir }));
      expect(first.process.isRunning()).toBe(false);
      expect(await ask(second.port, 'PING')).toBe('+PONG');
    });

    it('keeps what it writes from other users of the machine', async () => {
      await start(startRedis({ dir }));
      const files = await readdir(dir, { recursive: true, withFileTypes: true });
      const open = files.filter((file) => statSync(join(file.parentPath, file.name)).mode & 0o077);
      expect(files.map(({ name }) => name)).toContain('appendonlydir');
      expect(open.map(({ name }) => name)).toEqual([]);
    });

    it('says what to type when its append-only file is damaged, and that helps', async () => {
      const first = await start(startRedis({ dir }));
      await ask(first.port, 'SET a 1');
      await first.stop();
      const folder = join(dir, 'appendonlydir');
      const file = (await readdir(folder)).find((name) => name.endsWith('.incr.aof')) ?? '';
      await appendFile(join(folder, file), 'no command of Redis\r\n*1\r\n$4\r\nPING\r\n');
      const failed = await startRedis({ dir }).catch((error: Error) => error.message);
      const commands = String(failed)
        .split('\n')
        .filter((line) => line.startsWith('  '));
      expect(commands).toHaveLength(2);
      execFileSync('/bin/sh', ['-c', commands.join('\n')], {
        input: 'y\n',
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      const second = await start(startRedis({ dir }));
      expect(await ask(second.port, 'GET a')).toBe('$1 1');
    });

    it('is not waited for when it takes a connection and dies', async () => {
      const program = join(dir, 'dying');
      const script = `#!${process.execPath}
        const port = process.argv[process.argv.indexOf('--port') + 1];
        const die = (socket) => socket.end(() => process.exit(3));
        require('node:net').createServer(die).listen(port, '127.0.0.1');`;
      await writeFile(program, script, { mode: 0o700 });
      await expect(startRedis({ dir, program })).rejects.toThrow(/ended with code 3/);
    });

    it('says what the server said when it does not start', async () => {
      await expect(startRedis({ dir, args: ['--maxmemory', 'plenty'] })).rejects.toThrow(/maxmemory/);
    });
  });

  describe('mongod', () => {
    const write = (port: number) =>
      withAdmin(port, (admin) => admin.command({ insert: 'a', documents: [{ _id: 1 }] }));
    const count = (port: number) => withAdmin(port, (admin) => admin.command({ count: 'a' }));

    it('is a replica set of one, also after kill -9 and on another port', async () => {
      const first = await start(startMongo({ dir, cacheGb: 0.25 }));
      expect(await write(first.port)).toMatchObject({ n: 1, ok: 1 });
      await crash(first);
      await rm(join(dir, 'port'));
      const second = await start(startMongo({ dir, cacheGb: 0.25 }));
      expect(second.port).not.toBe(first.port);
      expect(await count(second.port)).toMatchObject({ n: 1 });
      const hello = await withAdmin(second.port, (admin) => admin.command({ hello: 1 }));
      expect(hello).toMatchObject({
        setName: 'rs0',
        me: `127.0.0.1:${second.port}`,
        isWritablePrimary: true,
      });
    });
  });
});
