// Events a second, from the first byte of HTTP to the last commit, against inserting the same rows with nothing in between.
import { openBareInsert } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { rateAgainst } from '../cost-figures.ts';
import { inTurns } from '../in-turns.ts';
import { crowdOf } from '../load/bodies.ts';
import { freshEvents } from '../load/fresh.ts';
import { introduce } from '../load/introduce.ts';

const endToEnd = ({ system, load, quick }: Setting, events: number): Promise<Cost> =>
  costOf(system.pathPids(), async () => {
    await load({ connections: 32, requests: events / 50, load: freshEvents(crowdOf(quick), 50) });
    await system.quiet();
    return events;
  });

export const throughput: Bench = {
  name: 'throughput',
  async measure(setting) {
    await introduce(setting, crowdOf(setting.quick));
    const countIn = (run: number): number => (setting.quick || run < 0 ? 20_000 : 200_000);
    const bare = openBareInsert(setting);
    const pairs = await inTurns(setting.runs, {
      ours: (run) => endToEnd(setting, countIn(run)),
      bare: (run) => bare({ documents: countIn(run), batch: 1_000 }),
    });
    const work = 'events a second, HTTP to committed';
    return [rateAgainst({ work, yardstick: 'bare inserts', bar: { atLeast: 0.45 }, pairs })];
  },
};
