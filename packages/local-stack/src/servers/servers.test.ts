/** A bare socket speaks the protocol of Redis without a client that would connect again. */
import { execFileSync } from 'node:child_process';
import { appendFile, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { useFolder } from '@roster/testkit';
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
  const up: Server[] = [];
  const start = async (server: Promise<Server>): Promise<Server> => {
    up.push(await server);
    return server;
  };
  const crash = async (server: Server): Promise<void> => {
    process.kill(server.pid, 'SIGKILL');
    await server.process.exited;
  };

  afterEach(() => Promise.all(up.splice(0).map((server) => server.stop())));
  const inFolder = useFolder({ forEach: true });

  describe('Redis', () => {
    const redis = (more: object = {}) => start(startRedis({ dir: inFolder(), ...more }));

    it('keeps what it has answered, and refuses rather than forgets', async () => {
      const { port } = await redis({ maxmemory: '64mb' });
      const settings = {
        appendfsync: 'always',
        appendonly: 'yes',
        'maxmemory-policy': 'noeviction',
        maxmemory: '67108864',
        bind: '127.0.0.1',
      };
      for (const [name, value] of Object.entries(settings))
        expect(await ask(port, `CONFIG GET ${name}`)).toContain(value);
      expect(await ask(port, 'CONFIG GET save')).toBe('*2 $4 save $0');
    });

    it('comes up again on its data and its port after kill -9', async () => {
      const first = await redis();
      await ask(first.port, 'SET a 1');
      await crash(first);
      const second = await redis();
      expect([second.url, await ask(second.port, 'GET a')]).toEqual([first.url, '$1 1']);
    });

    it('takes over from one that was left behind in its folder', async () => {
      const first = await redis();
      const second = await redis();
      expect(first.process.isRunning()).toBe(false);
      expect(await ask(second.port, 'PING')).toBe('+PONG');
    });

    it('says what to type when its append-only file is damaged, and that helps', async () => {
      const first = await redis();
      await ask(first.port, 'SET a 1');
      await first.stop();
      const folder = inFolder('appendonlydir');
      const file = (await readdir(folder)).find((name) => name.endsWith('.incr.aof')) ?? '';
      await appendFile(join(folder, file), 'no command of Redis\r\n*1\r\n$4\r\nPING\r\n');
      const failed = await redis().catch((error: Error) => error.message);
      const commands = String(failed)
        .split('\n')
        .filter((line) => line.startsWith('  '));
      expect(commands).toHaveLength(2);
      execFileSync('/bin/sh', ['-c', commands.join('\n')], {
        input: 'y\n',
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      const second = await redis();
      expect(await ask(second.port, 'GET a')).toBe('$1 1');
    });

    it('is not waited for when it takes a connection and dies', async () => {
      const program = inFolder('dying');
      const script = `#!${process.execPath}
        const port = process.argv[process.argv.indexOf('--port') + 1];
        const die = (socket) => socket.end(() => process.exit(3));
        require('node:net').createServer(die).listen(port, '127.0.0.1');`;
      await writeFile(program, script, { mode: 0o700 });
      await expect(redis({ program })).rejects.toThrow(/ended with code 3/);
    });

    it('says what the server said when it does not start', async () => {
      await expect(redis({ args: ['--maxmemory', 'plenty'] })).rejects.toThrow(/maxmemory/);
    });
  });

  describe('mongod', () => {
    const mongod = () => start(startMongo({ dir: inFolder(), cacheGb: 0.25 }));
    const write = (port: number) =>
      withAdmin(port, (admin) => admin.command({ insert: 'a', documents: [{ _id: 1 }] }));
    const count = (port: number) => withAdmin(port, (admin) => admin.command({ count: 'a' }));

    it('is a replica set of one, also after kill -9 and on another port', async () => {
      const first = await mongod();
      expect(await write(first.port)).toMatchObject({ n: 1, ok: 1 });
      await crash(first);
      await rm(inFolder('port'));
      const second = await mongod();
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
