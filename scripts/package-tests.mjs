// Tests of the package in whose folder this runs, for turbo: `node ../../scripts/package-tests.mjs`.
import { runLoud, tool } from './processes.mjs';

const args = ['--maxWorkers=2', '--workerIdleMemoryLimit=600MB', '--passWithNoTests'];
process.exitCode = await runLoud(process.execPath, [tool('jest/bin/jest.js'), ...args], {}, process.cwd());
