export { liftLimits } from './limits.ts';
export { startScim } from './start.ts';
