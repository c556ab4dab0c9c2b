// What a process took of the machine, as the kernel tells it. The neighbours of the machine don't change it much.
import { readFileSync } from 'node:fs';

const megabyte = 1024;

/** The most that it ever had, in megabytes; 0 when it is gone. */
export const mostMegabytes = (pid: number): number => {
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / megabyte);
  } catch {
    return 0;
  }
};

const msPerTick = 10;

/** CPU time that it has used so far, in milliseconds. */
export const cpuMs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets, and may hold spaces.
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * msPerTick;
};
