// Events a second, from the first byte of HTTP to the last commit, against inserting the same rows with nothing in between.
import type { InsertTask } from '../baselines/bare-insert.ts';
import type { Bench, Setting } from '../bench.ts';
import { crowdOf } from '../load/bodies.ts';
import { freshEvents } from '../load/fresh.ts';
import { introduce } from '../load/introduce.ts';
import { sideBySide } from '../side-by-side.ts';
import { spread } from '../stats.ts';

const endToEnd = async (setting: Setting, events: number): Promise<number> => {
  const { system, load } = setting;
  const began = performance.now();
  await load({
    connections: 32,
    requests: events / 50,
    load: freshEvents(crowdOf(setting), 50),
  });
  await system.quiet();
  return events / ((performance.now() - began) / 1_000);
};

export const throughput: Bench = {
  name: 'throughput',
  async measure(setting) {
    const { system, runs, quick } = setting;
    await introduce(setting, crowdOf(setting));
    const events = quick ? 20_000 : 200_000;
    const task: InsertTask = { mongoUrl: system.mongoUrl, documents: events, batch: 1_000 };
    const { ours, bare } = await sideBySide({
      runs,
      ours: () => endToEnd(setting, events),
      warmUp: () => endToEnd(setting, 20_000),
      bare: './baselines/bare-insert.js',
      task,
      short: { documents: 20_000 },
    });
    const detail = { 'events a second': spread(ours).median, 'bare insertMany': spread(bare).median };
    return [
      {
        work: 'events a second, HTTP to committed, against bare insertMany',
        unit: 'of bare',
        bar: { atLeast: 0.45 },
        runs: ours.map((rate, i) => rate / (bare[i] ?? Number.NaN)),
        detail,
      },
    ];
  },
};
