// npm test [-- arguments of jest]: all tests, against a real Redis and a real MongoDB.
import { prepare } from './prepare.mjs';
import { runLoud, tool } from './processes.mjs';

await prepare();
process.exitCode = await runLoud(process.execPath, [tool('jest/bin/jest.js'), ...process.argv.slice(2)]);
