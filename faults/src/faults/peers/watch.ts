// What the processes of the services, and those that read databases for them, come to: how often each ended, and how much memory it took.
import { readdirSync, readFileSync } from 'node:fs';
import { forgetPeak, peakMbOf, residentMbOf } from '../../costly/processes.ts';
import type { System } from '../../harness/system.ts';

const lookEveryMs = 50;

/** A process that has ended has none. */
const childrenOf = (pid: number): number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
};

export const watchProcesses = (system: System, services: readonly string[], reading: string) => {
  const pidOf = (name: string): number => system.part(name).pid;
  const pids = new Map(services.map((name) => [name, pidOf(name)]));
  const ends = new Map<string, number>();
  let readersMb = 0;
  let readers = new Set<number>();
  const look = (): void => {
    for (const name of services) {
      const pid = pidOf(name);
      if (pid !== pids.get(name)) ends.set(name, 1 + (ends.get(name) ?? 0));
      pids.set(name, pid);
    }
    for (const pid of childrenOf(pidOf(reading))) {
      readers.add(pid);
      readersMb = Math.max(readersMb, residentMbOf(pid));
    }
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    /** From here on it is counted anew. */
    begin(): void {
      look();
      ends.clear();
      readersMb = 0;
      readers = new Set();
      for (const name of services) forgetPeak(pidOf(name));
    },
    /** `readers`: how many processes have read databases. */
    end() {
      look();
      const peaks = new Map(services.map((name) => [name, Math.round(peakMbOf(pidOf(name)))]));
      peaks.set('a process that reads', Math.round(readersMb));
      return { ends: new Map(ends), peaks, readers: readers.size };
    },
    close: (): void => clearInterval(timer),
  };
};

export type Watched = ReturnType<ReturnType<typeof watchProcesses>['end']>;
