// Tests of the packages that have changed, or use one that has, since their tests passed. A part of npm run check.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './processes.mjs';
import { runTests } from './run-tests.mjs';
import { add, writeTotals } from './totals.mjs';

const { projects } = createRequire(import.meta.url)('../jest.config.cjs');
const folders = projects.map((path) => path.replace('<rootDir>/', ''));

/** Every test uses them. */
const shared = [
  'package-lock.json',
  'jest.preset.cjs',
  'scripts',
  'packages/testkit',
  'packages/local-stack',
];

/** They start the whole system and read its documents. */
const ofEverything = ['packages/cli', 'packages/local-stack', 'e2e'];

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

const manifestOf = (folder) => readJson(join(root, folder, 'package.json'));

const folderOf = new Map(folders.map((folder) => [manifestOf(folder).name, folder]));

const withUsed = (folder, found = new Set()) => {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies, devDependencies } = manifestOf(folder);
  for (const name of Object.keys({ ...dependencies, ...devDependencies }))
    if (folderOf.has(name)) withUsed(folderOf.get(name), found);
  return found;
};

const filesIn = (paths) => {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
};

const stateOf = (folder) => {
  const paths = ofEverything.includes(folder) ? ['.'] : [...shared, ...withUsed(folder)];
  const state = createHash('sha256');
  for (const file of filesIn(paths)) state.update(`${file}\0`).update(readFileSync(join(root, file)));
  return state.digest('hex');
};

const kept = join(root, 'node_modules/.cache/passed-tests.json');

const passed = existsSync(kept) ? readJson(kept) : {};
const states = Object.fromEntries(folders.map((folder) => [folder, stateOf(folder)]));
const changed = folders.filter((folder) => states[folder] !== passed[folder]);

const run = async () => {
  if (changed.length === 0) return { totals: add(), lines: ['All tests have passed as the files are.'] };
  console.log(`Of ${folders.length} packages, these have changed or use one that has: ${changed.join(', ')}`);
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
process.exitCode = totals.failed > 0 ? 1 : 0;
