export { createInTurn } from './in-turn.ts';
export { createInPlace, isSource, openRunner } from './open-runner.ts';
export { createRunner, type Runner, type ThreadLimits } from './runner.ts';
export { serve } from './serve.ts';
export { cpuClockOf } from './thread-clock.ts';
