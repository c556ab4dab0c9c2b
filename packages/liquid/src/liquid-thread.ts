/** Runs as a thread of its own: see runner.ts. */
import { readlinkSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { createEngine } from './engine.ts';
import type { Job, Ready } from './fault.ts';

const engine = createEngine();

/** Only Linux has this link. */
const ownTask = (): string | undefined => {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return undefined;
  }
};

const task = ownTask();
const ready: Ready = task === undefined ? {} : { task };

parentPort?.on('message', (job: Job) => parentPort?.postMessage(engine(job)));
parentPort?.postMessage(ready);
