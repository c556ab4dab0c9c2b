// The script `test` of every package: jest, as it is run here, in the folder in which it is called. Arguments are jest's.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runLoud, tool } from './processes.mjs';

/** Of node, for jest and its workers: most of what a test makes dies young, and a small room for it is cleared ten times as often. */
const forNode = ['--max-semi-space-size=32'];

const options = [
  '--reporters=default',
  `--reporters=${join(root, 'scripts/jest-report.cjs')}`,
  '--passWithNoTests',
];

/** Resolves to the exit code. `own` stands first: an option that may be given several times would take a name that follows as its own. */
export const runJest = (own, given, env = {}, cwd = root) =>
  runLoud(process.execPath, [...forNode, tool('jest/bin/jest.js'), ...own, ...options, ...given], env, cwd);

const isMain = import.meta.url === pathToFileURL(process.argv[1] ?? '').href;
// In this process alone: a worker has to load what tests need once more, a fifth of the CPU of a usual package.
if (isMain) process.exitCode = await runJest(['--runInBand'], process.argv.slice(2), {}, process.cwd());
