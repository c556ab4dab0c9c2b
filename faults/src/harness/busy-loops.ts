// Other programs that want all of the machine.
import { spawn } from 'node:child_process';

/** Ends by itself when whoever started it has ended. */
const loop = `
const { ppid } = process;
for (;;) {
  for (let n = 0; n < 100_000_000; n++);
  if (process.ppid !== ppid) process.exit();
}`;

export const startBusyLoops = (count: number): { stop(): void } => {
  const all = Array.from({ length: count }, () => spawn(process.execPath, ['-e', loop], { stdio: 'ignore' }));
  return {
    stop() {
      for (const one of all) one.kill('SIGKILL');
    },
  };
};
