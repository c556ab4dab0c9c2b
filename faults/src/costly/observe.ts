// What the processes of a running system do, seen from outside.
import { services as all } from '@roster/local-stack';
import type { Redis } from 'ioredis';
import { jobsInFlight } from '../harness/queue-state.ts';
import type { System } from '../harness/system.ts';
import { sleep, until } from '../harness/wait.ts';
import { cpuMsOf } from './processes.ts';

/** All but the one that only looks. */
export const services: string[] = all.filter((name) => name !== 'monitor');
export const servers = ['redis', 'mongod'];
export const names = [...services, ...servers];

const lookEveryMs = 30;
/** Of the time between two looks. */
const idleShare = 0.15;
const patienceMs = 45_000;

export type ByName = Record<string, number>;

export const each = (of: readonly string[], value: (name: string) => number): ByName =>
  Object.fromEntries(of.map((name) => [name, value(name)]));

export const cpuOf = (system: System): ByName => each(names, (name) => cpuMsOf(system.part(name).pid));

export const minus = (after: ByName, before: ByName): ByName =>
  each(names, (name) => Math.max(0, (after[name] ?? 0) - (before[name] ?? 0)));

export const isDead = (system: System): boolean => names.some((name) => !system.part(name).alive());

/** One process has computed for longer than this since then. */
export const isTooMuch = (now: ByName, before: ByName, mostMs: number): boolean =>
  Object.values(minus(now, before)).some((ms) => ms > mostMs);

const numberIn = (text: string | undefined, pattern: RegExp): number | undefined => {
  const found = text === undefined ? undefined : pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** Milliseconds of the longest block since the last look; a process that does not answer has been blocked all the while. */
const blockOf = async (system: System, name: string, sinceMs: number): Promise<number> => {
  const seconds = numberIn(await system.metrics(name), /^roster_event_loop_block_seconds\S* (\S+)$/m);
  return seconds === undefined ? sinceMs : seconds * 1_000;
};

export const blocksOf = async (system: System, began: number): Promise<ByName> => {
  const alive = services.filter((name) => system.part(name).alive());
  const blocks = await Promise.all(
    alive.map(async (name) => [name, await blockOf(system, name, performance.now() - began)] as const),
  );
  return Object.fromEntries(blocks);
};

/** A number in this section of what Redis says of itself; 0 where it does not stand there. */
export const redisFigure = async (redis: Redis, section: string, pattern: RegExp): Promise<number> =>
  numberIn(await redis.info(section), pattern) ?? 0;

export const datasetOf = ({ redis }: System): Promise<number> =>
  redisFigure(redis, 'memory', /^used_memory_dataset:(\d+)/m);

/** The last stamp that was given: every request that is accepted takes one. */
export const lastStamp = ({ redis }: System): Promise<string | null> => redis.get('roster:stamp');

const openOf = (ws: string) => ({ ws, state: { $in: ['waiting', 'sending'] } });
const open = openOf('demo');

/** So much CPU of one process for messages of a measurement tells enough; the time is a last resort. */
const sending = { cpuMs: 60_000, ms: 180_000 };

export const untilSent = async (system: System, before: ByName): Promise<void> => {
  const isEnough = (): boolean => isDead(system) || isTooMuch(cpuOf(system), before, sending.cpuMs);
  const schedules = system.mongo.collection('schedules');
  await until(sending.ms, async () => isEnough() || (await schedules.countDocuments(open)) === 0);
};

/** Recipients who were skipped, in all. */
export const skippedIn = async ({ mongo }: System): Promise<number> => {
  const deliveries = mongo.collection<{ counts: { skipped: number } }>('deliveries');
  const all = await deliveries.find({ ws: open.ws }).toArray();
  return all.reduce((sum, { counts }) => sum + counts.skipped, 0);
};

/** What is still to be sent is no part of the next measurement, which would wait for it. */
export const dropDeliveries = async ({ mongo }: System, ws = open.ws): Promise<void> => {
  await mongo.collection('schedules').deleteMany(openOf(ws));
  await mongo.collection('deliveries').updateMany({ ws }, { $unset: { due: '' } });
};

/** Waits until no process computes and no job is left, or gives up when one has computed far too long. */
export const atRest = async (system: System, before: ByName, mostMs: number) => {
  const end = performance.now() + patienceMs;
  let last = cpuOf(system);
  for (let calm = 0; performance.now() < end; ) {
    const began = performance.now();
    await sleep(lookEveryMs);
    const now = cpuOf(system);
    const idleMs = (performance.now() - began) * idleShare;
    calm = Object.values(minus(now, last)).every((ms) => ms < idleMs) ? calm + 1 : 0;
    last = now;
    const isGivenUp = isTooMuch(now, before, mostMs);
    if (isGivenUp || (calm >= 2 && (await jobsInFlight(system.redis)) === 0))
      return { cpu: now, isSettled: true, isGivenUp };
    if (isDead(system)) return { cpu: now, isSettled: true, isGivenUp: true };
  }
  return { cpu: last, isSettled: false, isGivenUp: true };
};

/** Milliseconds of CPU in a millisecond without requests: in the quietest of several periods, because a compiler may still be at work. */
export const idleCpu = async (system: System, ms: number, times = 4): Promise<ByName> => {
  let least: ByName = each(names, () => Number.POSITIVE_INFINITY);
  for (let i = 0; i < times; i++) {
    const before = cpuOf(system);
    const began = performance.now();
    await sleep(ms);
    const spent = minus(cpuOf(system), before);
    const wallMs = performance.now() - began;
    least = each(names, (name) => Math.min(least[name] ?? 0, (spent[name] ?? 0) / wallMs));
  }
  return least;
};

/** Services that were given far too much would take as long to stop as they may. */
export const endAtOnce = async (system: System): Promise<void> => {
  await Promise.all(services.map((name) => system.part(name).end('SIGKILL')));
};
