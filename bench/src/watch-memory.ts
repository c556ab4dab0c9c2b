import { residentMegabytes } from './cpu.ts';

/** Looks at the memory of processes; calling what it returns gives the most that each has held since. */
export const watchMemory = (pids: Record<string, number>): (() => Record<string, number>) => {
  const most: Record<string, number> = {};
  const look = () => {
    for (const [name, pid] of Object.entries(pids))
      most[name] = Math.max(most[name] ?? 0, residentMegabytes(pid));
  };
  const timer = setInterval(look, 200);
  look();
  return () => {
    clearInterval(timer);
    return most;
  };
};
