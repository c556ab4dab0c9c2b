/** What the script of a thread does: it answers one job after the other. See runner.ts. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** The first message of a thread: where /proc has it, as `<pid>/task/<tid>`. */
export interface Ready {
  task?: string;
}

/** Only Linux has this link. */
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
  const ready: Ready = task === undefined ? {} : { task };
  parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await work(job)));
  parentPort?.postMessage(ready);
};
