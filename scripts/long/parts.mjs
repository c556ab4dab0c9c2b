// The parts of `npm run long`: each is a process of its own. `read` makes of its result file and its log a verdict, what was broken, and its seed
// where it has one.
import { existsSync, readFileSync } from 'node:fs';
import { timedFiles, timedPass } from '../jest-passes.mjs';
import { tool } from '../processes.mjs';

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

const silent = { verdict: 'error', broken: ['it ended without a result'] };

const counted = ({ passed, failed }, broken) => {
  if (failed > 0) return { verdict: 'broken', broken };
  return passed > 0 ? { verdict: 'held', broken: [] } : { verdict: 'error', broken: ['nothing was tried'] };
};

const ofJest = ({ result }) => {
  const told = read(result);
  if (!told) return silent;
  const tests = told.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  const suites = told.numRuntimeErrorTestSuites;
  const broken = suites > 0 ? ['a file of tests could not run', ...failed] : failed;
  return counted({ passed: told.numPassedTests, failed: told.numFailedTests + suites }, broken);
};

const verdicts = {
  held: 'held',
  BROKEN: 'broken',
  INVALID: 'invalid',
  ERROR: 'error',
  UNTRIED: 'skipped',
  skipped: 'skipped',
};

const ofFault = ({ result }) => {
  const [part] = read(result)?.parts ?? [];
  if (!part) return silent;
  const { verdict, broken, seed } = part;
  const known = verdict === 'INVALID' ? ['the control broke nothing'] : broken;
  return { verdict: verdicts[verdict], broken: known, seed };
};

const ofBench = ({ result, quick }) => {
  const told = read(result);
  if (!told) return silent;
  // Its figures mean little when it is quick.
  if (quick || told.passed + told.failed === 0) return { verdict: 'ran', broken: [] };
  return counted(
    told,
    told.parts.flatMap(({ broken }) => broken),
  );
};

/** Of scripts that print a line for each check. */
const ofScript = ({ result, log }) => {
  const failed = log.split('\n').flatMap((line) => /^FAIL(?:ED)? +(.*)/.exec(line)?.[1] ?? []);
  const told = read(result);
  return told ? counted(told, failed.length > 0 ? failed : ['see its log']) : silent;
};

const timed = (path) => ({
  name: `timed/${path
    .replace(/^(packages|services)\//, '')
    .replace('/src/', '/')
    .replace(/(\.timed)?\.test\.ts$/, '')}`,
  run: ({ result }) => [tool('jest/bin/jest.js'), '--json', `--outputFile=${result}`, ...timedPass([path])],
  env: { ROSTER_TIMED: '1' },
  read: ofJest,
  // As in the checks before a commit.
  inMemory: true,
});

/** The tests of the gate once more: with a seed that it does not have, and all the tries of their properties. */
const tests = (seed) => ({
  name: 'tests',
  run: () => ['scripts/test.mjs'],
  env: { ROSTER_ALL_RUNS: '1', ROSTER_SEED: String(seed) },
  read: (told) => ({ ...ofScript(told), seed }),
  inMemory: true,
});

/** The client in the runtimes that can be had here. Its row names those that can't be; one of its tests fails where there is none. */
const clientRuntimes = {
  name: 'client/runtimes',
  run: ({ result }) => [
    tool('jest/bin/jest.js'),
    '--json',
    `--outputFile=${result}`,
    '--config=e2e/jest.long.cjs',
  ],
  read: (told) => {
    const notTried = told.log.split('\n').filter((line) => line.startsWith('NOT TRIED '));
    const { verdict, broken } = ofJest(told);
    return { verdict, broken: [...broken, ...new Set(notTried)] };
  },
};

/** They need root and a loop device. */
const maySkip = ['power-cut', 'first-start', 'disk-full'].flatMap((name) => ['--may-skip', name]);

const quickly = (quick) => (quick ? ['--quick'] : []);

const fault = ({ name }) => ({
  name: `faults/${name}`,
  run: ({ quick }) => ['faults/dist/main.js', name, ...quickly(quick), ...maySkip],
  read: ofFault,
});

const bench = ({ name }) => ({
  name: `bench/${name}`,
  run: ({ quick }) => ['bench/dist/main.js', name, ...quickly(quick)],
  read: ofBench,
});

const fuzzSeconds = { quick: 40, full: 300 };

const others = () => {
  const seed = Math.floor(Date.now() / 1000) % 1_000_000;
  return [
    tests(seed),
    {
      name: 'fuzz',
      run: ({ quick }) => [
        'scripts/fuzz.mjs',
        String(fuzzSeconds[quick ? 'quick' : 'full']),
        '--seed',
        String(seed),
      ],
      read: (told) => ({ ...ofScript(told), seed }),
    },
    { name: 'scim', run: () => ['scripts/scim-conformance.mjs'], read: ofScript },
    { name: 'smoke', run: () => ['scripts/smoke.mjs'], read: ofScript },
    { name: 'docs', run: () => ['scripts/docs-check.mjs'], read: ofScript },
    clientRuntimes,
  ];
};

/** In the order in which they are run. Everything must be built. */
export const allParts = async () => {
  const { faults } = await import('../../faults/dist/faults/index.js');
  const { benches, long } = await import('../../bench/dist/rows/index.js');
  return [
    ...timedFiles()
      .map(timed)
      .sort((a, b) => a.name.localeCompare(b.name)),
    ...others(),
    ...faults.map(fault),
    ...[...benches, ...long].map(bench),
  ];
};
