/** A process of the stack: it can be killed and started again, and is started again by itself if asked to. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Say } from '../find/search.ts';
import type { Ending, Launched } from '../servers/launch.ts';
import { signal as send } from '../servers/processes.ts';

export interface StackProcess {
  readonly name: string;
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  /** How the process that runs now will have ended. */
  readonly exited: Promise<Ending>;
  isRunning(): boolean;
  /** Sends a signal; with one that ends a process, waits until it has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Ends it if need be, and starts it again, with the same port and data. Resolves when it is ready. */
  restart(): Promise<void>;
}

export interface Part extends StackProcess {
  /** For good. */
  stop(): Promise<void>;
}

export interface PartOptions {
  name: string;
  start(): Promise<Launched>;
  stopWithinMs: number;
  /** Start it again when it ends unasked. */
  supervise: boolean;
  say: Say;
  /** Another process has taken its place. */
  changed(): void;
}

const ends: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGABRT'];
const pauseMs = { first: 250, most: 30_000 };
/** A process that lives this long is well again. */
const wellAfterMs = 60_000;

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

export const startPart = async (options: PartOptions): Promise<Part> => {
  const { name, start, stopWithinMs, supervise, say, changed } = options;
  let launched = await start();
  let [since, wait, isWanted] = [0, pauseMs.first, true];
  /** Being ended and started on purpose: not a case for the supervisor. */
  let isInHand = false;
  let reviving = Promise.resolve();
  const unwanted = new AbortController();

  const takeOver = (next: Launched): void => {
    [launched, since] = [next, Date.now()];
    changed();
    void next.exited.then(({ how }) => {
      if (launched === next && isWanted && !isInHand && supervise) reviving = revive(how);
    });
  };
  /** Again and again, with growing pauses, until it is up or no longer wanted. */
  const revive = async (how: string): Promise<void> => {
    if (Date.now() - since > wellAfterMs) wait = pauseMs.first;
    for (let reason = how; isWanted; ) {
      say(`${name} ${reason}; starting it again in ${wait / 1000} s`);
      // No longer wanted.
      await sleep(wait, undefined, { signal: unwanted.signal }).catch(() => {});
      wait = Math.min(wait * 2, pauseMs.most);
      if (!isWanted) return;
      try {
        const next = await start();
        if (!isWanted) return void (await next.stop(stopWithinMs));
        takeOver(next);
        return say(`${name} is back (process ${next.pid})`);
      } catch (error) {
        reason = `did not start: ${firstLine(error)}`;
      }
    }
  };

  takeOver(launched);
  return {
    name,
    get pid() {
      return launched.pid;
    },
    get exited() {
      return launched.exited;
    },
    isRunning: () => launched.isRunning(),
    async kill(signal = 'SIGTERM') {
      const { pid, exited, isRunning } = launched;
      if (!isRunning()) return;
      send(pid, signal);
      if (ends.includes(signal)) await exited;
    },
    async restart() {
      isInHand = true;
      try {
        await launched.stop(stopWithinMs);
        await reviving;
        takeOver(await start());
      } finally {
        isInHand = false;
      }
    },
    async stop() {
      isWanted = false;
      unwanted.abort();
      await reviving;
      await launched.stop(stopWithinMs);
    },
  };
};
