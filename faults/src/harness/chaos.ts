import type { System } from './system.ts';
import { sleep } from './wait.ts';

/** One group after the other, without warning, as long as it is time for the next; each starts again meanwhile. Gives how many were killed. */
const killWhile = async (
  system: System,
  groups: readonly (readonly string[])[],
  isTime: (n: number) => Promise<boolean>,
): Promise<number> => {
  const revivals = new Map<string, Promise<void>>();
  for (let n = 0; ; n++) {
    const names = groups[n % groups.length] ?? [];
    await Promise.all(names.map((name) => revivals.get(name)));
    if (!(await isTime(n))) {
      await Promise.all(revivals.values());
      return n;
    }
    for (const name of names) {
      const revival = outage(system, name, 'SIGKILL', 0);
      // Told when it is waited for.
      revival.catch(() => {});
      revivals.set(name, revival);
    }
  }
};

/** Each by itself. */
const alone = (names: readonly string[]): string[][] => names.map((name) => [name]);

const watchEnd = (work: Promise<unknown> | undefined): (() => boolean) => {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work?.then(end, end);
  return () => isOver;
};

/** At every beat, as long as the work lasts. */
export const keepKilling = (
  system: System,
  names: readonly string[],
  everyMs: number,
  work: Promise<unknown>,
): Promise<number> => {
  const isOver = watchEnd(work);
  return killWhile(system, alone(names), async () => {
    await sleep(everyMs);
    return !isOver();
  });
};

/** So many times while the work goes from 0 to 1, evenly. A slow machine gets as many kills as a fast one. Work that fails ends it, too. */
export const killAlong = (
  system: System,
  names: readonly string[],
  times: number,
  progress: () => number,
  work?: Promise<unknown>,
): Promise<number> => {
  const isOver = watchEnd(work);
  return killWhile(system, alone(names), async (n) => {
    if (n === times) return false;
    while (!isOver() && progress() < (n + 1) / (times + 1)) await sleep(20);
    return !isOver() && progress() < 1;
  });
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
  let working = Promise.resolve();
  await killWhile(system, victims, async (n) => {
    await working;
    if (n === victims.length) return false;
    working = work(n);
    const isDone = watchEnd(working);
    while (!isDone() && !(await isTime(n).catch(() => false))) await sleep(5);
    return true;
  });
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
