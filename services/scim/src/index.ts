export { createAnswer } from './answer.ts';
export { noLimits } from './limits.ts';
export { startScim } from './start.ts';
