// Other programs that want all of the machine.
import { spawn } from 'node:child_process';

/** Each ends by itself when the process that started it has ended. A session of its own gives it the share of a whole program. */
const loop = `for (const { ppid } = process; process.ppid === ppid;) for (let n = 0; n < 100_000_000; n++);`;

export const startBusyLoops = (count = 4): (() => void) => {
  const all = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', loop], { stdio: 'ignore', detached: true }),
  );
  return () => {
    for (const one of all) one.kill('SIGKILL');
  };
};
