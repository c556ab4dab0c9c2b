/** A Parquet file is decoded in a thread with limits of memory and time. There is one such thread at a time in this process; files take turns. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createDeadline } from '../deadline.ts';
import type { ReadFile } from '../files/reading.ts';
import { textAt } from '../members.ts';
import { parquetBounds, type Question, type ReadRows, type ThreadData } from './questions.ts';

/** One at a time, in the order of their coming. */
let last: Promise<void> = Promise.resolve();
let waiting = 0;

/** What waits for an end that may not come before it is aborted. */
const unlessAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    signal.throwIfAborted();
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

const isWaitedFor = (): boolean => waiting > 0;

/** Its result ends the turn. */
const takeTurn = async (signal: AbortSignal): Promise<() => void> => {
  const before = last;
  let done = (): void => {};
  last = new Promise((resolve) => {
    done = resolve;
  });
  waiting += 1;
  try {
    await unlessAborted(before, signal);
    return done;
  } catch (error) {
    void before.then(done);
    throw error;
  } finally {
    waiting -= 1;
  }
};

export type Heard = { readonly rows: ReadRows } | { readonly problem: string };

export interface ThreadOptions {
  readonly script?: string | URL;
  readonly threadMs?: number;
}

const openWorker = ({ file, columns }: ReadFile, script: string | URL, group: number): Worker => {
  const data: ThreadData = { bytes: file.bytes, columns, group };
  const worker = new Worker(script, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: parquetBounds.heapMb, maxYoungGenerationSizeMb: 16 },
  });
  // Whoever listens hears of it; without a listener it would end the process.
  worker.on('error', () => {});
  return worker;
};

const isMemory = (error: unknown): boolean => textAt(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY';

/** The next thing that the thread says, or what became of it. */
const listen = async (worker: Worker, threadMs: number, signal: AbortSignal): Promise<Question> => {
  const deadline = createDeadline(signal, threadMs);
  try {
    const [question] = await once(worker, 'message', { signal: deadline.signal });
    return question;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.isLate())
      return { kind: 'end', problem: `it takes longer than ${threadMs / 1_000} s to decode` };
    if (isMemory(error))
      return { kind: 'end', problem: `it takes more than ${parquetBounds.heapMb} MB to decode` };
    throw error;
  } finally {
    deadline.free();
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

/** Its result is the row group with which to go on, when others have waited. */
async function* converse(
  worker: Worker,
  read: ReadFile,
  threadMs: number,
  first: number,
): AsyncGenerator<Heard, number | undefined, undefined> {
  const over = new AbortController();
  const signal = AbortSignal.any([read.signal, over.signal]);
  let next = listen(worker, threadMs, signal);
  const answer = (bytes?: ArrayBuffer): void => {
    next = listen(worker, threadMs, signal);
    // Whoever waits for it hears of its failure.
    next.catch(() => {});
    worker.postMessage(bytes, bytes && [bytes]);
  };
  try {
    for (;;) {
      const question = await next;
      if (question.kind === 'end') {
        if (question.problem !== undefined) yield { problem: question.problem };
        return undefined;
      }
      if (question.kind === 'bytes') {
        answer(await bytesOf(read, question.from, question.to));
        continue;
      }
      if (question.group > first && isWaitedFor()) return question.group;
      // The thread decodes the next rows while these are sorted.
      answer();
      yield { rows: question.rows };
    }
  } finally {
    over.abort();
  }
}

export async function* rowsOfThread(
  read: ReadFile,
  { script = builtScript, threadMs = parquetBounds.threadMs }: ThreadOptions,
): AsyncGenerator<Heard, void, undefined> {
  for (let group: number | undefined = 0; group !== undefined; ) {
    const done = await takeTurn(read.signal);
    try {
      const worker = openWorker(read, script, group);
      try {
        group = yield* converse(worker, read, threadMs, group);
      } finally {
        await worker.terminate();
      }
    } finally {
      done();
    }
  }
}
