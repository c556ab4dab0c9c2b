// The two ways in which jest goes over tests: those that count, several files at once; and those that judge time, one file at a time, in long
// runs only: *.timed.test.ts, and files with a part that is judged there (`inLongRuns` of packages/testkit).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './files.mjs';
import { root } from './processes.mjs';

const folders = ['packages', 'services', 'bench', 'e2e', 'faults'];

const judgesTime = (file) =>
  file.endsWith('.timed.test.ts') || readFileSync(join(root, file), 'utf8').includes('inLongRuns(');

export const timedFiles = () =>
  filesIn(folders)
    .filter((file) => file.endsWith('.test.ts'))
    .filter(judgesTime);

/** Arguments of jest, with ROSTER_TIMED in its environment. */
export const timedPass = (files = timedFiles()) => ['--maxWorkers=1', '--runTestsByPath', ...files];
