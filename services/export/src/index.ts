export type { Handler, Tools } from './handler.ts';
export { handlers } from './handlers.ts';
export { startExport } from './start.ts';
