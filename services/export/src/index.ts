export { handlers } from './handlers.ts';
export { startExport } from './start.ts';
