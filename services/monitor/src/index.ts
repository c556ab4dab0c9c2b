export { startMonitor } from './start.ts';
