export { startIngress } from './start.ts';
