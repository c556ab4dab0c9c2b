// npm run check [-- --all] [arguments of jest]: everything that must hold before a commit, in order, until the first
// that does not; with --all to the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runLoud, runQuiet, tool } from './processes.mjs';
import { add, readTotals, writeTotals } from './totals.mjs';

const node = process.execPath;
const args = process.argv.slice(2);
const toTheEnd = args.includes('--all');
const scraps = mkdtempSync(join(tmpdir(), 'roster-check-'));
const testTotals = join(scraps, 'tests.json');
const forJest = args.filter((arg) => arg !== '--all');

const steps = [
  { title: 'types', run: [tool('typescript/bin/tsc'), '-p', 'tsconfig.check.json'] },
  {
    title: 'lint',
    run: [tool('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '--colors=off', '.'],
  },
  { title: 'import boundaries', run: ['scripts/boundaries.mjs'] },
  { title: 'one version per dependency', run: ['scripts/versions.mjs'] },
  { title: 'checksums of dependencies', run: ['scripts/lock-file.mjs'] },
  { title: 'image, compose, manifests', run: ['scripts/validate-deploy.mjs'] },
  {
    title: 'tests',
    loud: { ROSTER_TOTALS: testTotals },
    run: ['scripts/test.mjs', ...forJest],
    totals: () => readTotals(testTotals),
  },
  { title: 'drift of generated docs', run: ['scripts/docs.mjs', '--check'] },
];

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const once = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1 });

const check = async ({ title, loud, run, totals }) => {
  const since = performance.now();
  if (loud) console.log(`${title} ...`);
  const { code, output = '' } = loud ? { code: await runLoud(node, run, loud) } : await runQuiet(node, run);
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
for (const step of steps) {
  results.push(await check(step));
  if (results.at(-1).failed > 0 && !toTheEnd) break;
}
rmSync(scraps, { recursive: true, force: true });
const totals = add(...results);
writeTotals(totals);
const bad = results.filter(({ failed }) => failed > 0).length;
if (bad > 0) console.log(`Not everything is right: ${totals.failed} failed.`);
else console.log(`All ${steps.length} steps passed in ${seconds(began)}.`);
process.exitCode = bad > 0 ? 1 : 0;
