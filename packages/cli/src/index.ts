export { type Io, realIo } from './io.ts';
export { runCommand } from './program.ts';
export { exitCodes } from './result.ts';
