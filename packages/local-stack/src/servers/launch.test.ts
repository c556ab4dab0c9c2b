import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf } from './identity.ts';
import { launch } from './launch.ts';

describe('a program that is launched', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'roster-launch-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const program = () => ({
    command: '/bin/sh',
    args: ['-c', 'echo $$; exec sleep 60'],
    logFile: join(dir, 'log'),
    pidFile: join(dir, 'pid.json'),
  });

  it('is not left behind when it can not be noted, as on a full disk', async () => {
    mkdirSync(program().pidFile);
    await expect(launch(program())).rejects.toThrow('EISDIR');
    // It may have been ended before it said a word.
    const pid = Number(readFileSync(program().logFile, 'utf8').trim() || Number.NaN);
    if (!Number.isNaN(pid)) expect(identityOf(pid)).toBeUndefined();
    rmSync(program().pidFile, { recursive: true });
    const second = await launch(program());
    expect(second.isRunning()).toBe(true);
    await second.stop(5000);
  });
});
