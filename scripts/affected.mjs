// Tests of the packages that have changed, or use one that has, since their tests passed. A part of npm run check.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { statesIn } from './package-states.mjs';
import { prepare, product } from './prepare.mjs';
import { root } from './processes.mjs';
import { runTests } from './run-tests.mjs';
import { add, writeTotals } from './totals.mjs';

const { projects } = createRequire(import.meta.url)('../jest.config.cjs');
const folders = projects.map((path) => path.replace('<rootDir>/', ''));

const kept = join(root, 'node_modules/.cache/passed-tests.json');

const passed = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
const states = statesIn(root, folders);
const changed = folders.filter((folder) => states[folder] !== passed[folder]);

const run = async () => {
  if (changed.length === 0) return { totals: add(), lines: ['All tests have passed as the files are.'] };
  console.log(`Of ${folders.length} packages, these have changed or use one that has: ${changed.join(', ')}`);
  // Some tests start the whole system, as it is built.
  await prepare(product);
  const { totals, lines, failed } = await runTests(changed.map((folder) => `${folder}/src/`));
  // What failed may be outside of all files.
  const hasFailed = (folder) =>
    totals.failed > 0 && (failed.length === 0 || failed.some((file) => file.startsWith(`${folder}/`)));
  for (const folder of changed) if (!hasFailed(folder)) passed[folder] = states[folder];
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(passed));
  return { totals, lines };
};

const { totals, lines } = await run();
writeTotals(totals);
console.log(lines.join('\n'));
