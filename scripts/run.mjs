// npm run bench, npm run faults: builds everything, then runs it. `node scripts/run.mjs bench [arguments]`
import { everything, prepare } from './prepare.mjs';
import { runLoud } from './processes.mjs';

const [name, ...args] = process.argv.slice(2);
await prepare(everything);
process.exitCode = await runLoud(process.execPath, [`${name}/dist/main.js`, ...args]);
