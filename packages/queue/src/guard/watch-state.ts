/** The state shared by the watch thread and its process. */
export interface WatchStart {
  url: string;
  /** Offsets: see `place`. */
  shared: Int32Array;
  /** Only for tests: other limits. */
  limits: WatchLimits;
}

export interface WatchLimits {
  /** How long the event loop may stand still. */
  blockedMs: number;
  /** Bytes of the process at which it is about to run out of memory. */
  memoryBytes: number;
  /** How long the end of a process waits until the evidence is written. */
  evidenceMs: number;
}

/** Evidence about one request is stored under its id in this hash. Without an id there are several suspects, and none is proven. */
export interface Suspected {
  key: string;
  id?: string;
}

/** In the shared memory: the heartbeat, whether the process is exiting, and whether the thread has seen that. */
export const place = { beat: 0, exiting: 1, heard: 2 } as const;

/** The time between heartbeats, and between looks of the thread. */
export const everyMs = 500;

/** The same while a suspect is at work: memory may be full soon, and an exit waits for the thread. */
export const everyMsHeld = 100;
