// Tests of the package in whose folder this runs, for turbo: `node ../../scripts/package-tests.mjs test` or `test:timed`.
import { passes } from './jest-passes.mjs';
import { runLoud, tool } from './processes.mjs';

const args = [
  '--maxWorkers=2',
  '--workerIdleMemoryLimit=600MB',
  '--passWithNoTests',
  ...passes[process.argv[2]],
];
process.exitCode = await runLoud(process.execPath, [tool('jest/bin/jest.js'), ...args], {}, process.cwd());
