/** What the script of a thread does: it answers one job after the other. See runner.ts. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** Where /proc has this thread, as `<pid>/task/<tid>`. Only Linux has this link. */
const ownTask = (): string | undefined => {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return undefined;
  }
};

export const serve = <Job, Reply>(work: (job: Job) => Reply | Promise<Reply>): void => {
  const task = ownTask();
  // The event loop of the process comes first. Only on Linux a thread has a priority of its own.
  if (task !== undefined) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await work(job)));
  // The first message: it is ready.
  parentPort?.postMessage(task);
};
