export { createInPlace } from './in-place.ts';
export { createInTurn } from './in-turn.ts';
export { createRunner, type Done, type Runner, type ThreadLimits } from './runner.ts';
export { serve } from './serve.ts';
export { cpuClockOf } from './thread-clock.ts';
