// npm test: the tests of every package that has changed since they passed, or uses one that has, against a real Redis and a real MongoDB.
// npm test -- <arguments of jest>: those that they name. A file that fails is run once more by itself, on fresh servers; scripts/verdict.mjs says
// what counts. `npm test -- --timed` runs those whose bars are time (*.timed.test.ts) instead: one
// file at a time, each only once.
import { prepare } from './prepare.mjs';
import { runTests } from './run-tests.mjs';
import { writeTotals } from './totals.mjs';

const args = process.argv.slice(2);

// Some tests start the whole system, as it is built.
await prepare('build', 'test-bundles');
const { totals, lines } = await runTests(args);
writeTotals(totals);
console.log(lines.join('\n'));
if (totals.passed === 0) process.exitCode = 1;
