import { type Child, startChild } from '../child.ts';
import type { System } from '../system.ts';
import type { PlainExpressTask } from './plain-express.ts';

export interface PlainExpress {
  pid: number;
  url(path: string): string;
  stop(): Promise<void>;
}

/** The plain application in a process of its own, beside the system and on its servers. */
export const openPlainExpress = async ({ redisUrl, mongoUrl }: System): Promise<PlainExpress> => {
  const child: Child<PlainExpressTask, number> = startChild('./baselines/plain-express.js');
  const port = await child.ask({ redisUrl, mongoUrl });
  return { pid: child.pid, url: (path) => `http://127.0.0.1:${port}${path}`, stop: child.stop };
};
