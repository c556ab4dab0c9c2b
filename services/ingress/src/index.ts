export type { Linger } from './linger.ts';
export { startIngress } from './start.ts';
