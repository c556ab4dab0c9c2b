/** A Parquet file is decoded in a thread with limits of memory and time, one file at a time in this process. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReadFile } from '../files/reading.ts';
import { textOf } from '../network-errors.ts';
import { parquetBounds, type Question, type ReadRow, type ThreadData } from './questions.ts';

export type Heard = { readonly rows: readonly ReadRow[] } | { readonly problem: string };

export interface ThreadOptions {
  readonly script?: string | URL;
  readonly threadMs?: number;
}

const openWorker = ({ file, columns }: ReadFile, script: string | URL): Worker => {
  const data: ThreadData = { bytes: file.bytes, columns };
  const worker = new Worker(script, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: parquetBounds.heapMb, maxYoungGenerationSizeMb: 16 },
  });
  // Whoever listens hears of it; without a listener it would end the process.
  worker.on('error', () => {});
  return worker;
};

const isMemory = (error: unknown): boolean => textOf(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY';

/** The next thing that the thread says, or what became of it. */
const listen = async (worker: Worker, threadMs: number, signal: AbortSignal): Promise<Question> => {
  const late = AbortSignal.timeout(threadMs);
  try {
    const [question] = await once(worker, 'message', { signal: AbortSignal.any([signal, late]) });
    return question;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.aborted) return { kind: 'end', problem: `it takes longer than ${threadMs / 1_000} s to decode` };
    if (isMemory(error))
      return { kind: 'end', problem: `it takes more than ${parquetBounds.heapMb} MB to decode` };
    throw error;
  }
};

const bytesOf = async ({ store, file, signal }: ReadFile, from: number, to: number): Promise<ArrayBuffer> => {
  if (!(from >= 0 && from <= to && to <= file.bytes)) return new ArrayBuffer(0);
  const whole = new Uint8Array(to - from);
  let at = 0;
  for await (const chunk of store.read(file, [from, to], signal)) {
    const fits = chunk.subarray(0, whole.length - at);
    whole.set(fits, at);
    at += fits.length;
  }
  return at < whole.length ? new ArrayBuffer(0) : whole.buffer;
};

/** Tests run from the sources, where there is no script to start: they take the built one. */
const isSource = import.meta.url.endsWith('.ts');
const builtScript = new URL(`${isSource ? '../../dist/parquet' : '.'}/parquet-thread.js`, import.meta.url);

let turn: Promise<void> = Promise.resolve();

const takeTurn = async (): Promise<() => void> => {
  const before = turn;
  let done = (): void => {};
  turn = new Promise((resolve) => {
    done = resolve;
  });
  await before;
  return done;
};

async function* converse(
  worker: Worker,
  read: ReadFile,
  threadMs: number,
): AsyncGenerator<Heard, void, undefined> {
  for (;;) {
    const question = await listen(worker, threadMs, read.signal);
    if (question.kind === 'end') {
      if (question.problem !== undefined) yield { problem: question.problem };
      return;
    }
    if (question.kind === 'rows') {
      yield { rows: question.rows };
      worker.postMessage(undefined);
      continue;
    }
    const bytes = await bytesOf(read, question.from, question.to);
    worker.postMessage(bytes, [bytes]);
  }
}

export async function* rowsOfThread(
  read: ReadFile,
  { script = builtScript, threadMs = parquetBounds.threadMs }: ThreadOptions,
): AsyncGenerator<Heard, void, undefined> {
  const done = await takeTurn();
  try {
    read.signal.throwIfAborted();
    const worker = openWorker(read, script);
    try {
      yield* converse(worker, read, threadMs);
    } finally {
      await worker.terminate();
    }
  } finally {
    done();
  }
}
