/** Runs as a thread of its own: see open-matching.ts. */
import { parentPort } from 'node:worker_threads';
import { answer, type Job } from './jobs.ts';

parentPort?.on('message', (job: Job) => parentPort?.postMessage(answer(job)));
