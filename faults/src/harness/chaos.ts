import type { System } from './system.ts';
import { sleep } from './wait.ts';

/** At every beat kills one that is alive, without warning; it starts again while the next is killed. */
export const keepKilling = (system: System, names: string[], everyMs: number) => {
  let stopped = false;
  let kills = 0;
  const revivals = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const kill = async (name: string): Promise<void> => {
    kills++;
    await system.part(name).end('SIGKILL');
    await system.part(name).start();
    revivals.delete(name);
  };
  const rounds = async () => {
    for (let beat = 0; !stopped; beat++) {
      await sleep(everyMs);
      const name = names[beat % names.length];
      if (stopped || !name || revivals.has(name)) continue;
      // Reported when the killing stops: there is no listener before.
      revivals.set(
        name,
        kill(name).catch((error) => void failures.push(error)),
      );
    }
  };
  const done = rounds();
  return async (): Promise<number> => {
    stopped = true;
    await done;
    await Promise.all(revivals.values());
    if (failures.length > 0) throw failures[0];
    return kills;
  };
};

/**
 * Kills so many times while the work goes from 0 to 1, evenly, one name after the other. A slow machine gets as many kills as a fast one. Gives
 * how many there were before the work was done.
 */
export const killAlong = async (
  system: System,
  names: readonly string[],
  times: number,
  progress: () => number,
): Promise<number> => {
  const revivals = new Map<string, Promise<void>>();
  let kills = 0;
  for (let n = 0; n < times; n++) {
    const name = names[n % names.length] ?? '';
    await revivals.get(name);
    while (progress() < (n + 1) / (times + 1)) await sleep(20);
    if (progress() >= 1) break;
    kills++;
    revivals.set(name, outage(system, name, 'SIGKILL', 0));
  }
  await Promise.all(revivals.values());
  return kills;
};

interface Pieces {
  work(n: number): Promise<void>;
  /** In the middle of the work. */
  isTime(n: number): Promise<boolean>;
}

/** As many pieces of work as groups of names: each group is killed amid its piece, and starts again meanwhile. Gives how many were killed: all. */
export const killAmid = async (
  system: System,
  victims: readonly (readonly string[])[],
  { work, isTime }: Pieces,
): Promise<number> => {
  const revivals = new Map<string, Promise<void>>();
  for (const [n, names] of victims.entries()) {
    await Promise.all(names.map((name) => revivals.get(name)));
    let isDone = false;
    const working = work(n).finally(() => {
      isDone = true;
    });
    // Told below, once the names are dead.
    working.catch(() => {});
    while (!isDone && !(await isTime(n).catch(() => false))) await sleep(5);
    for (const name of names) revivals.set(name, outage(system, name, 'SIGKILL', 0));
    await working;
  }
  await Promise.all(revivals.values());
  return victims.flat().length;
};

/** How often a process ended by itself, where something else starts it again. */
export const watchEnds = (system: System, name: string) => {
  let ends = 0;
  let last = system.part(name).pid;
  const look = (): void => {
    const { pid } = system.part(name);
    if (pid !== last) ends++;
    last = pid;
  };
  const timer = setInterval(look, 50);
  return {
    ends: (): number => ends,
    stop: (): number => {
      clearInterval(timer);
      look();
      return ends;
    },
  };
};

/** Away for a while, without warning, then back on the data it left. */
export const outage = async (
  system: System,
  name: string,
  signal: 'SIGKILL' | 'SIGTERM',
  ms: number,
): Promise<void> => {
  await system.part(name).end(signal);
  await sleep(ms);
  await system.part(name).start();
};

/** Holds a process still, as a paused machine or a long garbage collection does. */
export const freeze = async (system: System, name: string, ms: number): Promise<void> => {
  const { pid } = system.part(name);
  process.kill(pid, 'SIGSTOP');
  await sleep(ms);
  process.kill(pid, 'SIGCONT');
};
