/**
 * A thread that watches this process: a blocked event loop can't end itself, and a dying process can't report the cause. Before the end,
 * the thread writes the evidence against the suspect at work to Redis.
 */
import { once } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { everyMs, place, type Suspected, type WatchLimits, type WatchStart } from './watch-state.ts';

export interface Watch {
  /**
   * Requests that may have ended a worker before are about to be at work. Resolves when the thread can write evidence, or when its time to get
   * ready is over.
   */
  hold(suspected: Suspected): Promise<void>;
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

/** The memory limit of the container or of the heap, whichever is lower. Memory outside the heap counts, too. */
const memoryBytes = (): number => {
  const heap = getHeapStatistics().heap_size_limit;
  const container = process.constrainedMemory();
  return container > 0 ? Math.min(heap, 0.9 * container) : heap;
};

const usualLimits = (): WatchLimits => ({
  blockedMs: 3_000,
  memoryBytes: memoryBytes(),
  evidenceMs: 1_000,
});

/** Tests run from the sources, where there is no script to start. */
const isSource = import.meta.url.endsWith('.ts');

/** For tests that run from the sources: no watch thread. */
const noWatch: Watch = { hold: async () => {}, letGo: () => {}, close: async () => {} };

export const openWatch = ({ url, onError, limits, script }: WatchOptions): Watch => {
  if (isSource && !script) return noWatch;
  const shared = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const all = { ...usualLimits(), ...limits };
  const workerData: WatchStart = { url, shared, limits: all };
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

  const tell = (what: Suspected | undefined): void => {
    held = what !== undefined;
    thread.postMessage(what);
  };

  /** A suspect may end its process at once, so the thread must know it and be connected before. */
  const hold = async (what: Suspected): Promise<void> => {
    const signal = AbortSignal.timeout(3 * all.evidenceMs);
    // Its time to get ready is over.
    const ready = once(thread, 'message', { signal }).catch(() => {});
    tell(what);
    await ready;
  };

  /** The suspect at work makes the process exit. In an ordinary stop the suspects are released by then. */
  const exiting = (): void => {
    if (!held || !alive) return;
    Atomics.store(shared, place.exiting, 1);
    Atomics.wait(shared, place.heard, 0, all.evidenceMs);
  };
  process.on('exit', exiting);

  return {
    hold,
    letGo: () => tell(undefined),
    async close() {
      clearInterval(heart);
      process.off('exit', exiting);
      await thread.terminate();
    },
  };
};
