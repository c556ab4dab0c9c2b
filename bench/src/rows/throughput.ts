// Events a second, from the first byte of HTTP to the last commit, against inserting the same rows with nothing in between.
import type { InsertTask } from '../baselines/bare-insert.ts';
import type { Bench, Setting } from '../bench.ts';
import { startChild } from '../child.ts';
import { residents } from '../load/bodies.ts';
import { spread } from '../stats.ts';

const endToEnd = async ({ system, load }: Setting, events: number): Promise<number> => {
  const began = performance.now();
  await load({
    connections: 32,
    requests: events / 50,
    load: { kind: 'events', people: residents, perRequest: 50 },
  });
  await system.quiet();
  return events / ((performance.now() - began) / 1_000);
};

export const throughput: Bench = {
  name: 'throughput',
  async measure(setting) {
    const { system, runs, quick } = setting;
    const events = quick ? 20_000 : 200_000;
    const task: InsertTask = { mongoUrl: system.mongoUrl, like: 'events', documents: events, batch: 1_000 };
    const ours: number[] = [];
    const bare: number[] = [];
    const inserter = startChild<InsertTask, number>('./baselines/bare-insert.js');
    try {
      await endToEnd(setting, 20_000);
      await inserter.ask({ ...task, documents: 20_000 });
      for (let run = 0; run < runs; run++) {
        ours.push(await endToEnd(setting, events));
        bare.push(await inserter.ask(task));
      }
    } finally {
      await inserter.stop();
    }
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
