// What a running stack says of itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Local {
  baseUrl: string;
  monitorUrl: string;
  apiKey: string;
  redisUrl: string;
  mongoUrl: string;
  pids: Record<string, number>;
}

export const readLocal = (dir: string): Local =>
  JSON.parse(readFileSync(join(dir, 'local.json'), 'utf8')) as Local;
