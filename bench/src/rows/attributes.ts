// Updates of people who exist, from the first byte of HTTP to the last commit, against setting the same attribute with nothing in between.
import { openBareUpdate } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { rateAndCpu } from '../cost-figures.ts';
import { inTurns } from '../in-turns.ts';
import { residents } from '../load/bodies.ts';

const perRequest = 50;

const endToEnd = ({ system, load }: Setting, updates: number): Promise<Cost> =>
  costOf(system.pathPids(), async () => {
    const requests = updates / perRequest;
    await load({ connections: 32, requests, load: { kind: 'updates', people: residents, perRequest } });
    await system.quiet();
    return updates;
  });

export const attributes: Bench = {
  name: 'attributes',
  async measure(setting) {
    const countIn = (run: number): number => (setting.quick || run < 0 ? 20_000 : 100_000);
    const bare = openBareUpdate(setting);
    const pairs = await inTurns(setting.runs, {
      ours: (run) => endToEnd(setting, countIn(run)),
      bare: (run) => bare({ like: 'profiles', updates: countIn(run), batch: 1_000 }),
    });
    return rateAndCpu({
      yardstick: 'bare transactions of 1,000',
      pairs,
      rate: { work: 'updates a second, 50 a request, HTTP to committed', bar: { atLeast: 0.35 } },
      cpu: { work: 'CPU an update, everything, 50 a request, 32 connections', bar: { atMost: 3 } },
    });
  },
};
