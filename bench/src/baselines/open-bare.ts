import { startChild } from '../child.ts';
import type { Cost } from '../cost.ts';
import type { System } from '../system.ts';
import type { InsertTask } from './bare-insert.ts';
import type { MergeTask } from './bare-merge.ts';
import type { SendTask } from './bare-send.ts';
import type { UpdateTask } from './bare-update.ts';
import type { Servers } from './servers.ts';

const openAs =
  <Task extends Servers>(script: string) =>
  (system: System) => {
    const child = startChild<Task, Cost>(script);
    const servers: Servers = { mongoUrl: system.mongoUrl, mongodPid: system.pid('mongod') };
    return {
      ask: (task: Omit<Task, keyof Servers>): Promise<Cost> => child.ask({ ...servers, ...task } as Task),
      stop: child.stop,
    };
  };

export const openBareInsert = openAs<InsertTask>('./baselines/bare-insert.js');
export const openBareUpdate = openAs<UpdateTask>('./baselines/bare-update.js');
export const openBareMerge = openAs<MergeTask>('./baselines/bare-merge.js');
export const openBareSend = openAs<SendTask>('./baselines/bare-send.js');
