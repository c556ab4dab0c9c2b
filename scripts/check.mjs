// npm run check: what must hold before a commit. Of the tests, those of packages that a change touches: what passed before and has not
// changed since, nor what it uses, is not run again. Whatever fails, every step before the tests is shown.
// npm run check -- --all: every test, and all of it whatever fails. With arguments of jest: the tests that they name.
// npm run check -- --quick: no test at all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { isInterrupted, runLoud, runQuiet, tool } from './processes.mjs';
import { add, readTotals, writeTotals } from './totals.mjs';

const node = process.execPath;
const args = process.argv.slice(2);
const all = args.includes('--all');
const isQuick = args.includes('--quick');
const scraps = mkdtempSync(join(tmpdir(), 'roster-check-'));
process.once('exit', () => rmSync(scraps, { recursive: true, force: true }));
const testTotals = join(scraps, 'tests.json');
const sources = ['packages', 'services', 'bench/src', 'e2e/src', 'faults/src'];

const quick = [
  { title: 'types', run: [tool('typescript/bin/tsc'), '-p', 'tsconfig.check.json', '--singleThreaded'] },
  {
    title: 'lint',
    run: [tool('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '--colors=off', '.'],
  },
  {
    title: 'who imports whom',
    run: [tool('dependency-cruiser/bin/dependency-cruise.mjs'), ...sources],
  },
  { title: 'nothing unused', run: [tool('knip/bin/knip.js'), '--no-progress'] },
  { title: 'what docs and comments name', run: ['scripts/references.mjs'] },
  { title: 'one version per dependency', run: [tool('syncpack/index.cjs'), 'lint'] },
  { title: 'checksums of dependencies', run: ['scripts/lock-file.mjs'] },
  { title: 'image, compose, manifests', run: ['scripts/validate-deploy.mjs'] },
  { title: 'drift of generated docs', run: ['scripts/docs.mjs', '--check'] },
  { title: 'no test too long in quarantine', run: ['scripts/quarantine.mjs'] },
];

const forJest = args.filter((arg) => !['--all', '--quick'].includes(arg));
const tests = {
  loud: { ROSTER_TOTALS: testTotals },
  totals: () => readTotals(testTotals),
  ...(all || forJest.length > 0
    ? { title: 'tests', run: ['scripts/test.mjs', ...forJest] }
    : { title: 'tests of what has changed', run: ['scripts/affected.mjs'] }),
};

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const once = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1 });

const perform = async ({ loud, run }) =>
  loud ? { code: await runLoud(node, run, loud) } : runQuiet(node, run);

const check = async (step) => {
  const { title, loud, totals } = step;
  const since = performance.now();
  if (loud) console.log(`${title} ...`);
  const { code, output = '' } = await perform(step);
  if (isInterrupted(code)) process.exit(code);
  const ok = code === 0;
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${title.padEnd(30)} ${seconds(since)}`);
  if (!ok && output) console.log(output);
  const counted = totals?.() ?? once(ok);
  // Something outside the tests went wrong: not one of them failed, and yet the step did.
  return ok || counted.failed > 0 ? counted : add(counted, once(false));
};

const began = performance.now();
await prepare();
const results = [];
for (const step of quick) results.push(await check(step));
const areQuickOk = results.every(({ failed }) => failed === 0);
if (!isQuick && (areQuickOk || all)) results.push(await check(tests));
const totals = add(...results);
writeTotals(totals);
if (totals.failed > 0) console.log(`Not everything is right: ${totals.failed} failed.`);
else console.log(`All ${results.length} steps passed in ${seconds(began)}.`);
