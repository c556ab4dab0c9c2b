import { existsSync, rmSync, statSync, truncateSync } from 'node:fs';

/** What stands after the last saved place will be written again. Returns the length of the file. */
export const cutBack = (path: string, bytes: number): number => {
  if (!existsSync(path)) return 0;
  if (bytes === 0) rmSync(path);
  else if (statSync(path).size > bytes) truncateSync(path, bytes);
  return bytes === 0 ? 0 : statSync(path).size;
};
