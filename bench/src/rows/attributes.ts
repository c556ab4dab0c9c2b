// Updates of people who exist, from the first byte of HTTP to the last commit, against setting the same attribute with nothing in between.
import type { UpdateTask } from '../baselines/bare-update.ts';
import type { Bench, Setting } from '../bench.ts';
import { startClock, total } from '../cpu.ts';
import { residents } from '../load/bodies.ts';
import { sideBySide } from '../side-by-side.ts';
import { spread } from '../stats.ts';

const perRequest = 50;

interface Run {
  perSecond: number;
  microsecondsAnUpdate: number;
  parts: Record<string, number>;
}

const endToEnd = async ({ system, load }: Setting, updates: number): Promise<Run> => {
  const stop = startClock(system.pathPids());
  const began = performance.now();
  const requests = updates / perRequest;
  await load({ connections: 32, requests, load: { kind: 'updates', people: residents, perRequest } });
  await system.quiet();
  const perSecond = updates / ((performance.now() - began) / 1_000);
  const cpu = Object.entries(stop());
  const parts = Object.fromEntries(cpu.map(([name, used]) => [name, (used / updates) * 1e6]));
  return { perSecond, microsecondsAnUpdate: total(parts), parts };
};

export const attributes: Bench = {
  name: 'attributes',
  async measure(setting) {
    const { system, runs, quick } = setting;
    const updates = quick ? 20_000 : 100_000;
    const task: UpdateTask = { mongoUrl: system.mongoUrl, like: 'profiles', updates, batch: 1_000 };
    const { ours, bare } = await sideBySide({
      runs,
      ours: () => endToEnd(setting, updates),
      warmUp: () => endToEnd(setting, 20_000),
      bare: './baselines/bare-update.js',
      task,
      short: { updates: 20_000 },
    });
    const rates = ours.map(({ perSecond }) => perSecond);
    const detail = { 'updates a second': spread(rates).median, 'bare transactions': spread(bare).median };
    return [
      {
        work: 'updates a second, 50 a request, HTTP to committed, against bare transactions of 1,000',
        unit: 'of bare',
        bar: { atLeast: 0.35 },
        runs: rates.map((rate, i) => rate / (bare[i] ?? Number.NaN)),
        detail,
      },
      {
        work: 'CPU an update, everything, 50 a request, 32 connections',
        unit: 'us',
        bar: { atMost: 120 },
        runs: ours.map(({ microsecondsAnUpdate }) => microsecondsAnUpdate),
        detail: ours.at(-1)?.parts ?? {},
      },
    ];
  },
};
