// npm test [-- arguments of jest]: all tests, against a real Redis and a real MongoDB. First those that can share the
// machine, three files at once; then those whose bars are milliseconds (*.timed.test.ts), one file at a time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passes } from './jest-passes.mjs';
import { inMemory } from './memory.mjs';
import { prepare, product } from './prepare.mjs';
import { isInterrupted, runLoud, tool } from './processes.mjs';
import { add, totalsOfJest, writeTotals } from './totals.mjs';

const jest = async (args, file) => {
  // What may be given several times stands first: it would take a name that follows as its own.
  const all = [...args, '--passWithNoTests', '--json', `--outputFile=${file}`, ...process.argv.slice(2)];
  const code = await runLoud(process.execPath, [tool('jest/bin/jest.js'), ...all], inMemory());
  if (isInterrupted(code)) process.exit(code);
  const totals = totalsOfJest(file);
  // Something outside the tests went wrong: not one of them failed, and yet jest did.
  return code === 0 || totals.failed > 0 ? totals : add(totals, { passed: 0, failed: 1 });
};

// Some tests start the whole system, as it is built.
await prepare(product);
const scraps = mkdtempSync(join(tmpdir(), 'roster-test-'));
process.once('exit', () => rmSync(scraps, { recursive: true, force: true }));
const results = [];
for (const [name, args] of Object.entries(passes))
  results.push(await jest(args, join(scraps, `${name}.json`)));
const totals = add(...results);
writeTotals(totals);
if (totals.passed + totals.failed === 0) console.log('No test matches.');
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
