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

interface State {
  launched: Launched;
  since: number;
  pauseMs: number;
  wanted: boolean;
  /** Being ended and started on purpose: not a case for the supervisor. */
  inHand: boolean;
  reviving: Promise<void>;
  abort: AbortController;
}

const takeOver = (state: State, launched: Launched, options: PartOptions): void => {
  state.launched = launched;
  state.since = Date.now();
  options.changed();
  void launched.exited.then(({ how }) => {
    if (state.launched !== launched || !state.wanted || state.inHand || !options.supervise) return;
    state.reviving = revive(state, how, options);
  });
};

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** Again and again, with growing pauses, until it is up or no longer wanted. */
const revive = async (state: State, how: string, options: PartOptions): Promise<void> => {
  if (Date.now() - state.since > wellAfterMs) state.pauseMs = pauseMs.first;
  for (let reason = how; state.wanted; ) {
    options.say(`${options.name} ${reason}; starting it again in ${state.pauseMs / 1000} s`);
    await sleep(state.pauseMs, undefined, { signal: state.abort.signal }).catch(() => {});
    state.pauseMs = Math.min(state.pauseMs * 2, pauseMs.most);
    if (!state.wanted) return;
    try {
      const launched = await options.start();
      if (!state.wanted) return void (await launched.stop(options.stopWithinMs));
      takeOver(state, launched, options);
      return options.say(`${options.name} is back (process ${launched.pid})`);
    } catch (error) {
      reason = `did not start: ${firstLine(error)}`;
    }
  }
};

const restart = async (state: State, options: PartOptions): Promise<void> => {
  state.inHand = true;
  try {
    await state.launched.stop(options.stopWithinMs);
    await state.reviving;
    takeOver(state, await options.start(), options);
  } finally {
    state.inHand = false;
  }
};

export const startPart = async (options: PartOptions): Promise<Part> => {
  const launched = await options.start();
  const state: State = {
    launched,
    since: 0,
    pauseMs: pauseMs.first,
    wanted: true,
    inHand: false,
    reviving: Promise.resolve(),
    abort: new AbortController(),
  };
  takeOver(state, launched, options);
  return {
    name: options.name,
    get pid() {
      return state.launched.pid;
    },
    get exited() {
      return state.launched.exited;
    },
    isRunning: () => state.launched.isRunning(),
    async kill(signal = 'SIGTERM') {
      const { pid, exited, isRunning } = state.launched;
      if (!isRunning()) return;
      send(pid, signal);
      if (ends.includes(signal)) await exited;
    },
    restart: () => restart(state, options),
    async stop() {
      state.wanted = false;
      state.abort.abort();
      await state.reviving;
      await state.launched.stop(options.stopWithinMs);
    },
  };
};
