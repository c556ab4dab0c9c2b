/**
 * What scripts/run-tests.mjs makes of tests that fail: always, every second time, and in quarantine. Real runs of jest over files made here. And
 * what turbo.json holds for changed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useFolder } from '@roster/testkit';

const root = join(__dirname, '../..');
const script = pathToFileURL(join(root, 'scripts/run-tests.mjs')).href;
const run = `
  const { runTests } = await import(${JSON.stringify(script)});
  const { totals, lines } = await runTests(process.argv.slice(1));
  console.log(lines.join('\\n'));
  process.exitCode = totals.failed > 0 ? 1 : 0;
`;

const inFolder = useFolder({ forEach: true });

const kinds = {
  passes: "test('passes', () => {});",
  fails: "test('fails', () => { throw new Error('always'); });",
  /** Fails when its mark is not there yet, and leaves it. */
  unsteady: `
    const { existsSync, writeFileSync } = require('node:fs');
    test('every second time', () => {
      const isSecond = existsSync(__filename + '.mark');
      writeFileSync(__filename + '.mark', '');
      if (!isSecond) throw new Error('the first time');
    });`,
  'does not load': "throw new Error('no test at all');",
  'leaves an error': `
    test('leaves one', async () => {
      void Promise.reject(new Error('nobody catches it'));
      await new Promise((done) => setImmediate(done));
    });`,
  /** Both in one worker: each finds everything as it was before the other. */
  'leaves things': `
    const { appendFileSync, existsSync, readFileSync } = require('node:fs');
    const ticks = () => existsSync(__dirname + '/ticks') && readFileSync(__dirname + '/ticks', 'utf8');
    const aMoment = () => new Promise((done) => setTimeout(done, 50));
    test('finds nothing', async () => {
      const before = ticks();
      await aMoment();
      expect(ticks()).toBe(before);
      setInterval(() => appendFileSync(__dirname + '/ticks', 'x'), 1).unref();
      await aMoment();
      expect([typeof left, process.env.LEFT, process.left, require('${join(root, 'scripts/seed.cjs')}').left]).toEqual(Array(4).fill(undefined).with(0, 'undefined'));
      expect(process.env.HOME).not.toBe('left');
      globalThis.left = process.left = require('${join(root, 'scripts/seed.cjs')}').left = 'here';
      process.env.LEFT = process.env.HOME = 'left';
      globalThis.setTimeout = undefined;
    });`,
};

const fileOf = (name: string): string => relative(root, inFolder(`${name}.test.js`));

const judged = (names: Record<string, keyof typeof kinds>, quarantine: object[] = []) => {
  for (const [name, kind] of Object.entries(names)) writeFileSync(inFolder(`${name}.test.js`), kinds[kind]);
  const list = inFolder('quarantine.json');
  writeFileSync(list, JSON.stringify(quarantine));
  const [testEnvironment, runtime] = ['environment', 'runtime'].map((name) =>
    join(root, `scripts/jest-${name}.cjs`),
  );
  const config = JSON.stringify({ rootDir: inFolder(), testEnvironment, runtime, transform: {} });
  // The variables of the jest that runs this test are not for the one that it starts.
  const { JEST_WORKER_ID: _, NODE_OPTIONS: __, ...env } = process.env;
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', run, '--', `--config=${config}`],
    { cwd: root, encoding: 'utf8', env: { ...env, ROSTER_QUARANTINE: list } },
  );
  const lines = stdout
    .split('\n')
    .filter((line) => /^(FAILED|UNSTEADY|QUARANTINED|More|\d+ passed)/.test(line));
  return { code: status, lines };
};

it('a test that always fails fails the gate', () => {
  expect(judged({ a: 'passes', b: 'fails' })).toEqual({
    code: 1,
    lines: [`FAILED ${fileOf('b')}: fails`, '1 passed, 1 failed'],
  });
});

it('two that fail every second time are told, and the gate passes', () => {
  expect(judged({ a: 'passes', b: 'unsteady', c: 'unsteady' })).toEqual({
    code: 0,
    lines: expect.arrayContaining([
      `UNSTEADY ${fileOf('b')}: every second time | Error: the first time`,
      `UNSTEADY ${fileOf('c')}: every second time | Error: the first time`,
      '3 passed, 0 failed',
    ]),
  });
});

it('a third one fails it', () => {
  const { code, lines } = judged({ a: 'unsteady', b: 'unsteady', c: 'unsteady' });
  expect([code, lines.length, lines.at(-1)]).toEqual([1, 5, '3 passed, 3 failed']);
});

it('a file that can not be loaded fails it', () => {
  expect(judged({ a: 'passes', b: 'does not load' })).toEqual({
    code: 1,
    lines: [`FAILED ${fileOf('b')}: the file itself`, '1 passed, 1 failed'],
  });
});

it('an error that nobody catches fails it', () => {
  expect(judged({ a: 'passes', b: 'leaves an error' }).code).toBe(1);
});

it('a file finds nothing of what another one left in the same worker', () => {
  expect(judged({ a: 'leaves things', b: 'leaves things', c: 'leaves things' })).toEqual({
    code: 0,
    lines: ['3 passed, 0 failed'],
  });
});

it('one in quarantine is told and does not decide; another one of its file does', () => {
  const entry = { file: fileOf('b'), test: 'fails', reason: 'r', since: '2026-01-01', expires: '2026-01-02' };
  expect(judged({ a: 'passes', b: 'fails' }, [entry])).toEqual({
    code: 0,
    lines: [`QUARANTINED ${fileOf('b')}: fails`, '1 passed, 0 failed'],
  });
  expect(judged({ a: 'passes', b: 'fails' }, [{ ...entry, test: 'another' }]).code).toBe(1);
});

it.each<[Record<string, string>, RegExp]>([
  [{ since: '2026-01-01', expires: '2026-01-20' }, /expired on 2026-01-20: mend the test/],
  [{ expires: '2999-01-01' }, /expires more than 30 days after "since"/],
  [{ reason: '' }, /lacks reason/],
  [{ file: 'no/such.test.ts' }, /names a file that is not there/],
])('an entry of the quarantine that is wrong fails the quick checks: %j', (wrong, message) => {
  const today = new Date().toISOString().slice(0, 10);
  const whole = { file: 'e2e/src/gate.test.ts', test: 't', reason: 'r', since: today, expires: today };
  const list = inFolder('quarantine.json');
  const check = (entry: object) => {
    writeFileSync(list, JSON.stringify([entry]));
    const env = { ...process.env, ROSTER_QUARANTINE: list };
    return spawnSync(process.execPath, [join(root, 'scripts/quarantine.mjs')], { encoding: 'utf8', env });
  };
  expect(check(whole).status).toBe(0);
  const { status, stdout } = check({ ...whole, ...wrong });
  expect([status, stdout]).toEqual([1, expect.stringMatching(message)]);
});

it('a change is one of its package and of all that use it, and of those that start the whole system', () => {
  const uses: Record<string, string[]> = {
    'packages/low': [],
    'packages/middle': ['low'],
    'services/high': ['middle'],
    'packages/other': [],
    e2e: [],
  };
  const put = (file: string, text: string) => {
    mkdirSync(dirname(inFolder(file)), { recursive: true });
    writeFileSync(inFolder(file), text);
  };
  const manifests = { ...uses, 'packages/testkit': [] };
  for (const [path, names] of Object.entries(manifests)) {
    const dependencies = Object.fromEntries(names.map((name) => [name, '*']));
    const manifest = { name: path.split('/').at(-1), scripts: { test: 'true' }, dependencies };
    put(`${path}/package.json`, JSON.stringify(manifest));
  }
  const workspaces = ['packages/*', 'services/*', 'e2e'];
  put('package.json', JSON.stringify({ name: 'all', packageManager: 'npm@11.0.0', workspaces }));
  for (const file of ['turbo.json', 'e2e/turbo.json', '.gitignore'])
    put(file, readFileSync(join(root, file), 'utf8'));
  spawnSync('git', ['init', '-q'], { cwd: inFolder() });
  const hashes = (): [string, string][] => {
    const args = [join(root, 'node_modules/turbo/bin/turbo'), 'run', 'test', '--dry=json'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: inFolder(), encoding: 'utf8' });
    const { tasks }: { tasks: { task: string; directory: string; hash: string }[] } = JSON.parse(stdout);
    return tasks.flatMap(({ task, directory, hash }) => (task === 'test' ? [[directory, hash]] : []));
  };
  const changedBy = (file: string, text: string): string[] => {
    const before = new Map(hashes());
    put(file, text);
    return hashes().flatMap(([path, hash]) => (hash === before.get(path) ? [] : [path]));
  };
  const all = Object.keys(manifests).sort();
  expect(
    hashes()
      .map(([path]) => path)
      .sort(),
  ).toEqual(all);
  expect(changedBy('packages/low/src/new.ts', 'a').sort()).toEqual([
    'e2e',
    'packages/low',
    'packages/middle',
    'services/high',
  ]);
  expect(changedBy('services/high/src/new.ts', 'a').sort()).toEqual(['e2e', 'services/high']);
  expect(changedBy('packages/low/src/new.test.ts', 'a')).toContain('packages/low');
  expect(changedBy('packages/low/dist/new.js', 'a')).toEqual([]);
  expect(changedBy('docs/page.md', 'a')).toEqual(['e2e']);
  for (const file of ['packages/testkit/src/new.ts', 'scripts/jest-new.cjs', 'jest.preset.cjs'])
    expect(changedBy(file, 'a').sort()).toEqual(all);
});
