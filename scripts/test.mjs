// npm test [-- arguments of jest]: all tests, against a real Redis and a real MongoDB.
import { prepare, product } from './prepare.mjs';
import { runLoud, tool } from './processes.mjs';

// Some tests start the whole system, as it is built.
await prepare(product);
process.exitCode = await runLoud(process.execPath, [tool('jest/bin/jest.js'), ...process.argv.slice(2)]);
