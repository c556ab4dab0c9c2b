/** Runs as a thread of its own: see watch.ts. */
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Redis } from 'ioredis';
import { type Cause, causes, writeCause } from './evidence.ts';
import { everyMs, everyMsHeld, place, type Suspected, type WatchStart } from './watch-state.ts';

const { url, shared, limits }: WatchStart = workerData;

/** Writing evidence must not delay the end of the process; an exit is told when the evidence is written. */
const writeWithinMs = 0.7 * limits.evidenceMs;

let held: Suspected | undefined;
let connection: Promise<Redis> | undefined;

const connect = async (): Promise<Redis> => {
  const { openConnection } = await import('../connection.ts');
  return openConnection('patient', url);
};

/** A connection is needed only with suspects. It is opened when they are announced, before they are at work. */
const connected = (): Promise<Redis> => {
  connection ??= connect();
  return connection;
};

let waiting = new AbortController();

/** Tells the process when a cause could be written. */
const getReady = async (): Promise<void> => {
  try {
    await (await connected()).ping();
    parentPort?.postMessage('ready');
  } catch {
    // The process waits only briefly.
  }
};

parentPort?.on('message', (next: Suspected | undefined) => {
  held = next;
  if (!held) return;
  waiting.abort();
  void getReady();
});

const write = async (cause: Cause): Promise<void> => {
  if (!held?.id) return;
  const { key, id } = held;
  const writing = connected()
    .then((redis) => redis.hset(key, id, writeCause(cause)))
    // The process ends in any case, and says why on standard error.
    .catch(() => {});
  await Promise.race([writing, sleep(writeWithinMs)]);
};

/** Writes to standard error directly: the usual streams need the main thread, which is blocked. */
const say = (sentence: string): void => {
  try {
    writeSync(2, `${sentence}\n`);
  } catch {
    // Standard error is closed.
  }
};

const loop = { beat: 0, stillMs: 0, cpuMs: 0 };
let last = { wall: performance.now(), cpu: process.cpuUsage() };

/** A process that was stopped, or waits for the machine, is not blocked by its own work: the blocked one must have used CPU time. */
const stillFor = (): number => {
  const now = { wall: performance.now(), cpu: process.cpuUsage() };
  const beat = Atomics.load(shared, place.beat);
  if (beat !== loop.beat) Object.assign(loop, { beat, stillMs: 0, cpuMs: 0 });
  else {
    loop.stillMs += Math.min(now.wall - last.wall, 2 * everyMs);
    loop.cpuMs += (now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system) / 1000;
  }
  last = now;
  return Math.min(loop.stillMs, 4 * loop.cpuMs);
};

const end = async (): Promise<void> => {
  // Collecting garbage near the end of the heap looks like a blocked loop, too.
  const isFull = process.memoryUsage.rss() >= 0.8 * limits.memoryBytes;
  const cause = isFull ? causes.outOfMemory(limits.memoryBytes) : causes.blocked(limits.blockedMs);
  await write(cause);
  say(`${cause.reason}: the process ends itself`);
  process.kill(process.pid, 'SIGKILL');
  // The first process of a container ignores that signal, but not code that runs in its main thread.
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: 'process.reallyExit(70)' });
};

const exited = async (): Promise<void> => {
  await write(causes.exit());
  Atomics.store(shared, place.heard, 1);
  Atomics.notify(shared, place.heard);
};

const look = async (): Promise<void> => {
  if (Atomics.load(shared, place.exiting) === 1) return exited();
  const stillMs = stillFor();
  if (stillMs >= limits.blockedMs) return end();
  if (held && process.memoryUsage.rss() >= limits.memoryBytes)
    await write(causes.outOfMemory(limits.memoryBytes));
};

for (;;) {
  await look();
  waiting = new AbortController();
  // Woken.
  await sleep(held ? everyMsHeld : everyMs, undefined, { signal: waiting.signal }).catch(() => {});
}
