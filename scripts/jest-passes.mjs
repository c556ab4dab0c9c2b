// The two ways in which jest goes over tests: those that count, several files at once; and those that judge time, one file at a time, in long
// runs only: *.timed.test.ts, and files with a part that is judged there (`inLongRuns` of packages/testkit).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

const folders = ['packages', 'services', 'bench', 'e2e', 'faults'];

const testsIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : testsIn(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });

const judgesTime = (file) =>
  file.endsWith('.timed.test.ts') || readFileSync(join(root, file), 'utf8').includes('inLongRuns(');

export const timedFiles = () => folders.flatMap(testsIn).filter(judgesTime);

/** Arguments of jest, with ROSTER_TIMED in its environment. */
export const timedPass = (files = timedFiles()) => ['--maxWorkers=1', '--runTestsByPath', ...files];
