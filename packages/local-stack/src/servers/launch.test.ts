/** A bare socket tells whether a port is open. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { until, useFolder } from '@roster/testkit';
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

describe('a program that is launched and can not be noted, as on a full disk', () => {
  const inFolder = useFolder({ forEach: true });
  let port = 0;
  beforeEach(async () => {
    port = await anyFreePort();
  });

  const server = (): Program => ({
    command: process.execPath,
    args: ['-e', `require('node:net').createServer().listen(${port}, '127.0.0.1')`],
    logFile: inFolder('log'),
    pidFile: inFolder('pid.json'),
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
    await until(() => listens(port));
    expect(next.isRunning()).toBe(true);
    await next.stop(5000);
  });

  it('would be lost and keep the port from the next one if it were not ended', async () => {
    let end = (): unknown => undefined;
    await unnoted({
      async unnoted(child) {
        end = () => child.kill('SIGKILL');
        await until(() => listens(port));
      },
    });
    const next = await launch(server());
    expect((await next.exited).code).toBe(1);
    expect(readFileSync(server().logFile, 'utf8')).toContain('EADDRINUSE');
    end();
  });
});
