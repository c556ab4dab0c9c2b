// What an accepted request costs each process, held against the bars for one.
import { bars } from '../costly/judge.ts';
import { cpuMsOf, forgetPeak, peakMbOf } from '../costly/processes.ts';
import { inUsualMsEach } from '../yardstick/usual-ms.ts';
import type { System } from './system.ts';

type ByName = Record<string, number>;

export interface Spent {
  /** CPU time of all threads, by process. */
  cpuMs: ByName;
  /** The longest block of an event loop, by service. */
  blockMs: ByName;
  /** The highest resident memory, by service. */
  peakMb: ByName;
}

const servers = ['redis', 'mongod'];

const blockIn = (metrics: string | undefined): number => {
  const found = /^roster_event_loop_block_seconds\S* (\S+)$/m.exec(metrics ?? '')?.[1];
  return found === undefined ? Number.POSITIVE_INFINITY : Number(found) * 1_000;
};

const each = (names: readonly string[], value: (name: string) => number): ByName =>
  Object.fromEntries(names.map((name) => [name, value(name)]));

/** Reading a block begins the next one. */
const blocksOf = async (system: System, services: readonly string[]): Promise<ByName> =>
  Object.fromEntries(
    await Promise.all(services.map(async (name) => [name, blockIn(await system.metrics(name))] as const)),
  );

/** From before the work until it is done. */
const spentOn = async (
  system: System,
  services: readonly string[],
  work: () => Promise<unknown>,
): Promise<Spent> => {
  const pidOf = (name: string): number => system.part(name).pid;
  const all = [...services, ...servers];
  await blocksOf(system, services);
  for (const name of services) forgetPeak(pidOf(name));
  const before = each(all, (name) => cpuMsOf(pidOf(name)));
  await work();
  const cpuMs = each(all, (name) => cpuMsOf(pidOf(name)) - (before[name] ?? 0));
  const blockMs = await blocksOf(system, services);
  const peakMb = each(services, (name) => peakMbOf(pidOf(name)));
  return { cpuMs: inUsualMsEach(cpuMs), blockMs: inUsualMsEach(blockMs), peakMb };
};

const merged = (all: readonly ByName[], pick: (...values: number[]) => number): ByName =>
  each(Object.keys(all[0] ?? {}), (name) => pick(...all.map((one) => one[name] ?? 0)));

const over = (values: ByName, most: number, say: (name: string, value: string) => string): string[] =>
  Object.entries(values)
    .filter(([, value]) => value > most)
    .map(([name, value]) => say(name, value.toFixed(0)));

export const overBars = (what: string, { cpuMs, blockMs, peakMb }: Spent): string[] => [
  ...over(cpuMs, bars.cpuMs, (name, ms) => `${what} took ${ms} ms of CPU in ${name}, not ${bars.cpuMs}`),
  ...over(blockMs, bars.blockMs, (name, ms) => `${what} blocked ${name} for ${ms} ms, not ${bars.blockMs}`),
  ...over(peakMb, bars.memoryMb, (name, mb) => `${what} took ${mb} MB in ${name}, not ${bars.memoryMb}`),
];

/** Noise only adds to times, so the lowest is the nearest. Memory is no noise. */
const leastOf = (all: readonly Spent[]): Spent => ({
  cpuMs: merged(
    all.map(({ cpuMs }) => cpuMs),
    Math.min,
  ),
  blockMs: merged(
    all.map(({ blockMs }) => blockMs),
    Math.min,
  ),
  peakMb: merged(
    all.map(({ peakMb }) => peakMb),
    Math.max,
  ),
});

export interface Times {
  least: number;
  /** As long as a bar is not met: a busy machine takes half as much again. */
  most: number;
}

export const once: Times = { least: 1, most: 1 };

export const leastSpent = async (
  system: System,
  services: readonly string[],
  times: Times,
  work: () => Promise<unknown>,
): Promise<Spent> => {
  const all: Spent[] = [];
  const isOver = (): boolean => overBars('it', leastOf(all)).length > 0;
  for (let n = 0; n < times.least || (n < times.most && isOver()); n++)
    all.push(await spentOn(system, services, work));
  return leastOf(all);
};

const most = (values: ByName): string => {
  const [name, value] = Object.entries(values).toSorted(([, a], [, b]) => b - a)[0] ?? ['none', 0];
  return `${value.toFixed(0)} (${name})`;
};

/** For the figures: the highest of each, and where. */
export const figuresOf = (what: string, { cpuMs, blockMs, peakMb }: Spent): Record<string, string> => ({
  [`${what}: CPU ms`]: most(cpuMs),
  [`${what}: block ms`]: most(blockMs),
  [`${what}: MB`]: most(peakMb),
});
