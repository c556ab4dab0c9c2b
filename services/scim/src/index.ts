export { createAnswer } from './answer.ts';
export { startScim } from './start.ts';
