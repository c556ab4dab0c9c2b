export { openapi } from './openapi.ts';
export { timesOfNow } from './times-of-now.ts';
