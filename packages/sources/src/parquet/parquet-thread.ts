/** Runs as a thread of its own: a file that takes too much memory or time ends it, and nothing else. See thread.ts. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { decode } from './decode.ts';
import type { Question, ThreadData } from './questions.ts';

// The event loop of the process comes first. Only on Linux a thread has a priority of its own.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { bytes, columns, group }: ThreadData = workerData;

let last: Promise<unknown> = Promise.resolve();

/** Questions wait for each other, as the library asks for several ranges at once. */
const ask = (question: Question): Promise<unknown> => {
  last = last.then(
    () =>
      new Promise((resolve) => {
        parentPort?.once('message', resolve);
        parentPort?.postMessage(question);
      }),
  );
  return last;
};

const file = {
  byteLength: bytes,
  async slice(from: number, to = bytes): Promise<ArrayBuffer> {
    const answer = await ask({ kind: 'bytes', from, to });
    if (!(answer instanceof ArrayBuffer) || answer.byteLength < to - from) throw new Error('it has changed');
    return answer;
  },
};

const end = (error?: unknown): void =>
  parentPort?.postMessage({ kind: 'end', ...(error instanceof Error && { problem: error.message }) });

const run = async (): Promise<void> => {
  for await (const part of decode(file, columns, group)) await ask({ kind: 'rows', ...part });
};

run().then(() => end(), end);
