/** Runs as a thread of its own: see runner.ts. */
import { readlinkSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createEngine, type EngineOptions } from './engine.ts';
import type { Job, Ready } from './fault.ts';

const options: EngineOptions = workerData;
const engine = createEngine(options);

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
