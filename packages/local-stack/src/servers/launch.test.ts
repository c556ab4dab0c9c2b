import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, type Program, type Replacements } from './launch.ts';
import { anyFreePort } from './ports.ts';

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });

const untilListening = async (port: number): Promise<void> => {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(20)) if (await listens(port)) return;
  throw new Error('it does not listen');
};

describe('a program that is launched and can not be noted, as on a full disk', () => {
  let dir = '';
  let port = 0;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'roster-launch-'));
    port = await anyFreePort();
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const server = (): Program => ({
    command: process.execPath,
    args: ['-e', `require('node:net').createServer().listen(${port}, '127.0.0.1')`],
    logFile: join(dir, 'log'),
    pidFile: join(dir, 'pid.json'),
  });

  const unnoted = async (replacements: Replacements = {}): Promise<void> => {
    const { pidFile } = server();
    mkdirSync(pidFile);
    await expect(launch(server(), replacements)).rejects.toThrow('EISDIR');
    rmSync(pidFile, { recursive: true });
  };

  it('is ended, and the next one has the port', async () => {
    await unnoted();
    const next = await launch(server());
    await untilListening(port);
    expect(next.isRunning()).toBe(true);
    await next.stop(5000);
  });

  it('would be lost and keep the port from the next one if it were not ended', async () => {
    let end = (): unknown => undefined;
    await unnoted({
      async unnoted(child) {
        end = () => child.kill('SIGKILL');
        await untilListening(port);
      },
    });
    const next = await launch(server());
    expect((await next.exited).code).toBe(1);
    expect(readFileSync(server().logFile, 'utf8')).toContain('EADDRINUSE');
    end();
  });
});
