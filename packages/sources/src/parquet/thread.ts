/** A Parquet file is decoded in a thread with limits of memory and time. There is one such thread at a time in this process; files take turns. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReadFile } from '../files/reading.ts';
import { textAt } from '../members.ts';
import { parquetBounds, type Question, type ReadRows, type ThreadData } from './questions.ts';

/** Of the turn that was taken last: aborted when it is over. They come one at a time, in the order in which they were taken. */
let last = AbortSignal.abort();
let waiting = 0;

/** Its result ends the turn. */
const takeTurn = async (signal: AbortSignal): Promise<() => void> => {
  signal.throwIfAborted();
  const [before, turn] = [last, new AbortController()];
  const end = (): void => turn.abort();
  last = turn.signal;
  waiting += 1;
  try {
    if (!before.aborted) await once(before, 'abort', { signal });
    return end;
  } catch {
    if (before.aborted) end();
    else before.addEventListener('abort', end);
    throw signal.reason;
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

const late = new Error('the thread is silent');

/** The next thing that the thread says, or what became of it. `over` ends what listens to it. */
const listen = async (
  worker: Worker,
  threadMs: number,
  over: AbortController,
  signal: AbortSignal,
): Promise<Question> => {
  const timer = setTimeout(() => over.abort(late), threadMs);
  try {
    const [question] = await once(worker, 'message', { signal });
    return question;
  } catch (error) {
    if (signal.reason === late)
      return { kind: 'end', problem: `it takes longer than ${threadMs / 1_000} s to decode` };
    if (signal.aborted) throw signal.reason;
    if (isMemory(error))
      return { kind: 'end', problem: `it takes more than ${parquetBounds.heapMb} MB to decode` };
    throw error;
  } finally {
    clearTimeout(timer);
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
  const hear = (): Promise<Question> => listen(worker, threadMs, over, signal);
  let next = hear();
  const answer = (bytes?: ArrayBuffer): void => {
    next = hear();
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
      if (question.group > first && waiting > 0) return question.group;
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
