/** The state shared by the watch thread and its process. */
export interface WatchStart {
  url: string;
  /** Places: see `place`. */
  shared: Int32Array;
  /** Only for tests: others than the usual ones. */
  limits: WatchLimits;
}

export interface WatchLimits {
  /** How long the event loop may stand still. */
  blockedMs: number;
  /** Bytes of the whole process at which it will die of memory soon. */
  memoryBytes: number;
  /** How long the end of a process waits until the evidence is written. */
  evidenceMs: number;
}

/** Evidence about one request stands under its id in this hash. Without an id there are several suspects, and none of them is proven. */
export interface Suspected {
  key: string;
  id?: string;
}

/** In the shared memory: the heart beats, the process is exiting, and the thread has heard of it. */
export const place = { beat: 0, exiting: 1, heard: 2 } as const;

/** The heart beats, and the thread looks at it. */
export const everyMs = 500;

/** Memory can be full soon, and an exit waits for the thread. */
export const everyMsHeld = 100;
