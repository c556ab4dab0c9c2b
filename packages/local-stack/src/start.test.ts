// What `npm start` runs, as a process with a real Redis, a real mongod and the built services. Of the last build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@roster/testkit';

const script = join(__dirname, '../dist/start.js');

const isOf = (pid: string, home: string): boolean => {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return environment.includes(`ROSTER_HOME=${home}`) || readlinkSync(`/proc/${pid}/cwd`).startsWith(home);
  } catch {
    return false;
  }
};

const processesOf = (home: string): string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOf(name, home));

// A slow machine fails nothing here.
jest.setTimeout(300_000);

describe('npm start', () => {
  const inWork = useFolder({ forEach: true });

  /** Until its end; `interruptAt`: the step at which Ctrl-C is pressed. */
  const start = async (env: Record<string, string>, interruptAt?: string) => {
    const home = inWork('home');
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, ROSTER_HOME: home, PORT: '0', npm_lifecycle_event: '', ...env },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        const before = said.includes(interruptAt ?? '\0');
        said += data;
        if (interruptAt !== undefined && !before && said.includes(interruptAt)) child.kill('SIGINT');
      });
    const [code] = await once(child, 'exit');
    const left = processesOf(home);
    return { code, said, left };
  };

  it.each(['starting Redis and MongoDB', 'preparing the database', 'starting 11 services'])(
    'has ended everything when it says "Stopped" after a Ctrl-C at "%s"',
    async (step) => {
      const { code, said, left } = await start({}, step);
      expect({ code, left }).toEqual({ code: 0, left: [] });
      expect(said).toContain('Stopped. The data is kept.');
      expect(said).not.toContain('did not start');
    },
  );

  it('says what is wrong without the command line of the program that found it', async () => {
    const { code, said } = await start({ MONGO_URL: 'foo' });
    expect([code, said]).toEqual([1, expect.stringContaining('MONGO_URL')]);
    expect(said).not.toContain(process.execPath);
    expect(said).not.toContain('several.js');
  });
});
