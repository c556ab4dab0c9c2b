/** The script of the threads in which templates run. */
import { workerData } from 'node:worker_threads';
import { serve } from '@roster/threads';
import { createEngine, type EngineOptions } from './engine.ts';

const options: EngineOptions = workerData;

serve(createEngine(options));
