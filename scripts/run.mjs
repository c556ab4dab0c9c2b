// npm run bench, npm run faults: builds everything, then runs it. `node scripts/run.mjs bench [arguments]`
import { inMemory } from './memory.mjs';
import { prepare } from './prepare.mjs';
import { runLoud } from './processes.mjs';

const [name, ...args] = process.argv.slice(2);
await prepare('compile-trials');
// npm that is told to stop tells its shell, and that does not tell us.
const { onLauncherGone } = await import('../packages/local-stack/dist/launcher.js');
onLauncherGone(() => process.kill(process.pid, 'SIGTERM'));
const isShort = name === 'faults' && (args.includes('--quick') || args.includes('--gate'));
process.exitCode = await runLoud(
  process.execPath,
  [`${name}/dist/main.js`, ...args],
  isShort ? inMemory() : {},
);
