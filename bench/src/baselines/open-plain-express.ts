import type { Setting } from '../bench.ts';
import { type Child, startChild } from '../child.ts';
import type { PlainExpressTask } from './plain-express.ts';

export interface PlainExpress {
  pid: number;
  url(path: string): string;
}

/** The plain application in a process of its own, beside the system and on its servers. */
export const openPlainExpress = async ({ system, atEnd }: Setting): Promise<PlainExpress> => {
  const child: Child<PlainExpressTask, number> = startChild('./baselines/plain-express.js');
  atEnd(child.stop);
  const port = await child.ask({ redisUrl: system.redisUrl, mongoUrl: system.mongoUrl });
  return { pid: child.pid, url: (path) => `http://127.0.0.1:${port}${path}` };
};
