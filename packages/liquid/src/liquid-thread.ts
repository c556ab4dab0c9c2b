/** Runs as a thread of its own: see runner.ts. */
import { parentPort } from 'node:worker_threads';
import { createEngine } from './engine.ts';
import type { Job } from './fault.ts';

const engine = createEngine();

parentPort?.on('message', (job: Job) => parentPort?.postMessage(engine(job)));
parentPort?.postMessage('ready');
