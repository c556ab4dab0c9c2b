/**
 * A thread that watches this process: a blocked event loop can't end itself, and a process that dies can't say of what. What it knows of the
 * suspect at work it writes to Redis before the end.
 */
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { everyMs, type Held, place, type WatchLimits, type WatchStart } from './watch-state.ts';

export interface Watch {
  /** Suspects are at work. */
  hold(held: Held): void;
  letGo(): void;
  close(): Promise<void>;
}

export interface WatchOptions {
  url: string;
  onError?(error: unknown): void;
  /** For tests. */
  limits?: Partial<WatchLimits>;
  script?: URL;
}

/** Where a container ends, and where the heap does. What is beside the heap counts, too: such a process dies soon. */
const memoryBytes = (): number => {
  const heap = getHeapStatistics().heap_size_limit;
  const container = process.constrainedMemory();
  return container > 0 ? Math.min(heap, 0.9 * container) : heap;
};

const usualLimits = (): WatchLimits => ({
  blockedMs: 3_000,
  memoryBytes: memoryBytes(),
});

/** The thread has its evidence written by then, or never. */
const exitWaitsMs = 1_000;

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

/** Nobody watches. */
const noWatch: Watch = { hold: () => {}, letGo: () => {}, close: async () => {} };

export const openWatch = ({ url, onError, limits, script }: WatchOptions): Watch => {
  if (isSource && !script) return noWatch;
  const shared = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const workerData: WatchStart = { url, shared, limits: { ...usualLimits(), ...limits } };
  const thread = new Worker(script ?? new URL('./watch-thread.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  let alive = true;
  let held = false;
  thread.on('error', (error) => onError?.(error));
  thread.on('exit', () => {
    alive = false;
  });
  thread.unref();
  const heart = setInterval(() => Atomics.add(shared, place.beat, 1), everyMs).unref();

  const hold = (what: Held | undefined): void => {
    held = what !== undefined;
    thread.postMessage(what);
  };

  /** The suspect at work has the process exit. One that stops because it was told to has let go by then. */
  const exiting = (): void => {
    if (!held || !alive) return;
    Atomics.store(shared, place.exiting, 1);
    Atomics.wait(shared, place.heard, 0, exitWaitsMs);
  };
  process.on('exit', exiting);

  return {
    hold,
    letGo: () => hold(undefined),
    async close() {
      clearInterval(heart);
      process.off('exit', exiting);
      await thread.terminate();
    },
  };
};
