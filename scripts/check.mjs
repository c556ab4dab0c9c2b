// npm run check: what must hold before a commit: the task `check` of turbo.json, then all tests. What has passed and has not changed since, nor
// what it uses, is not run again. npm run check -- --quick: no tests.
import { prepare } from './prepare.mjs';
import { isInterrupted } from './processes.mjs';
import { step } from './progress.mjs';
import { runTests } from './run-tests.mjs';
import { add, writeTotals } from './totals.mjs';
import { turbo } from './turbo.mjs';

const isQuick = process.argv.includes('--quick');

await prepare(...(isQuick ? [] : ['build', 'test-bundles']));
const code = await step('checking', () => turbo(['check'], ['--output-logs=errors-only']));
if (isInterrupted(code)) process.exit(code);
const checks = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
const { totals, lines } = isQuick || code !== 0 ? { totals: add(), lines: [] } : await runTests([]);
writeTotals(add(checks, totals));
console.log([...lines, code === 0 ? 'The checks passed.' : 'The checks failed: see above.'].join('\n'));
