/** Runs beside a run, and sweeps after it when it was killed and could not do so itself. Its input ends when the run does. */
import { sweep } from './sweep.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('which folder?');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.stdin.on('close', () => sweep(folder));
process.stdin.resume();
