import type { Setting } from '../bench.ts';
import { type Child, startChild } from '../child.ts';
import type { Cost } from '../cost.ts';
import type { Answering } from './answering.ts';
import type { InsertTask } from './bare-insert.ts';
import type { MergeTask } from './bare-merge.ts';
import type { Servers } from './bare-mongo.ts';
import type { SendTask } from './bare-send.ts';
import type { UpdateTask } from './bare-update.ts';
import type { Calling } from './caller.ts';
import type { PlainExpressTask } from './plain-express.ts';

/** What does a task, in a process of its own. */
const openAs =
  <Task extends Servers>(script: string) =>
  ({ system, atEnd }: Setting) => {
    const { ask, stop } = startChild<Task, Cost>(script);
    atEnd(stop);
    const servers: Servers = { mongoUrl: system.mongoUrl, mongodPid: system.pid('mongod') };
    return (task: Omit<Task, keyof Servers>): Promise<Cost> => ask({ ...servers, ...task } as Task);
  };

export const openBareInsert = openAs<InsertTask>('./baselines/bare-insert.js');
export const openBareUpdate = openAs<UpdateTask>('./baselines/bare-update.js');
export const openBareMerge = openAs<MergeTask>('./baselines/bare-merge.js');
export const openBareSend = openAs<SendTask>('./baselines/bare-send.js');

export interface PlainExpress {
  pid: number;
  url(path: string): string;
}

/** A caller, and a service that only answers. */
export const openCalling = (atEnd: Setting['atEnd']) => {
  const server = startChild<object, Answering>('./baselines/answering.js');
  const caller = startChild<Calling, number>('./baselines/caller.js');
  for (const { stop } of [server, caller]) atEnd(stop);
  return { server, caller };
};

/** The plain application in a process of its own, beside the system and on its servers. */
export const openPlainExpress = async ({ system, atEnd }: Setting): Promise<PlainExpress> => {
  const child: Child<PlainExpressTask, number> = startChild('./baselines/plain-express.js');
  atEnd(child.stop);
  const port = await child.ask({ redisUrl: system.redisUrl, mongoUrl: system.mongoUrl });
  return { pid: child.pid, url: (path) => `http://127.0.0.1:${port}${path}` };
};
