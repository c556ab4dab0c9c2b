/** The command as it is installed: native modules, a real process. Of the last build. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@roster/testkit';

const root = join(__dirname, '../../..');

const run = (script: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'bundle', script), ...args],
      { env: { ROSTER_HOME: '/nowhere', ...env }, timeout: 20_000 },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });

const roster = (args: string[], env?: Record<string, string>) => run('roster.js', args, env);

describe('the command roster', () => {
  it('prints machine-readable results on standard output alone', async () => {
    const { code, out, err } = await roster(['keys', 'permissions', '--json']);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toContain('users.track');
  });

  it('exits at once, with what to do, when its server is away', async () => {
    const { code, out, err } = await roster(['dead', 'list'], { REDIS_URL: 'redis://127.0.0.1:1' });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('REDIS_URL');
  });

  it('exits 2 for a wrong command', async () => {
    expect(await roster(['nonsense'])).toMatchObject({ code: 2, out: '' });
  });

  it('ends quietly when the reader of its output is gone, as head is', async () => {
    const child = spawn(process.execPath, [join(root, 'bundle/roster.js'), 'keys', 'permissions']);
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    expect([await once(child, 'close'), said]).toEqual([[0, null], '']);
  });

  const inShell = (line: string) => {
    const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd: root, encoding: 'utf8' });
    return { status, stderr };
  };

  it.each([
    'keys permissions > /dev/full',
    'keys permissions --json > /dev/full',
    '--help > /dev/full',
    '--version > /dev/full',
  ])('says in a sentence that its result could not be shown: %s', (line) => {
    expect(inShell(`bin/roster ${line}`)).toEqual({
      status: 1,
      stderr: 'roster: the result could not be shown: no space left on device.\n',
    });
  });

  it.each(['keys permissions', 'keys create --name x --permission users.track', '--help', '--version'])(
    'does nothing while its standard output is closed: %s',
    (line) => {
      expect(inShell(`bin/roster ${line} >&-`)).toEqual({
        status: 1,
        stderr: 'roster: standard output is closed, so no result could be shown. Nothing was done.\n',
      });
    },
  );

  it('is not the only command that asks for the right Node: all of npm run do', () => {
    const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
    const tasks = Object.keys(read('turbo.json').tasks).map((task) => task.replace('//#', ''));
    const called = ['build', 'borders', 'unused', 'versions'];
    const direct = Object.entries<string>(read('package.json').scripts).filter(
      ([name, line]) =>
        !/^(exec |npm run build && )?node scripts\/on-node\.cjs/.test(line) &&
        (called.includes(name) || !tasks.includes(name)),
    );
    expect(direct).toEqual([]);
  });

  const inWork = useFolder();
  it.each(['12.22.9', '18.20.4', '20.18.3'])(
    'says in a sentence that Node %s is too old',
    async (version) => {
      const old = inWork('old.cjs');
      writeFileSync(
        old,
        `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
       Object.defineProperty(process, 'version', { value: 'v${version}' });`,
      );
      const env = { NODE_OPTIONS: `--require ${old}` };
      const called = await run('../scripts/on-node.cjs', [join(root, 'bundle/roster.js')], env);
      expect(called).toEqual({
        code: 1,
        out: '',
        err: `Roster needs Node 20.19 or later; this is v${version}.\n`,
      });
    },
  );
});

describe('several commands in one process', () => {
  const several = (...commands: string[][]) =>
    run(
      'several.js',
      commands.map((words) => JSON.stringify(words)),
    );

  it('are answered one by one', async () => {
    const [help, json] = [
      ['keys', 'permissions'],
      ['keys', 'permissions', '--json'],
    ];
    const { code, out } = await several(help, json);
    const alone = await Promise.all([roster(help), roster(json)]);
    expect([code, JSON.parse(out)]).toEqual([0, alone.map((each) => each.out)]);
  });

  it('end at the first that fails, with its code', async () => {
    const { code, out, err } = await several(
      ['keys', 'permissions'],
      ['no-such-command'],
      ['keys', 'permissions'],
    );
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('no-such-command');
  });
});
