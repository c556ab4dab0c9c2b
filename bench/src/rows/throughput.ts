// Events and updates a second, from the first byte of HTTP to the last commit, against writing the same with nothing in between.
import { openBareInsert, openBareUpdate } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { rateAgainst, rateAndCpu } from '../cost-figures.ts';
import { inTurns } from '../in-turns.ts';
import { crowdOf, residents } from '../load/bodies.ts';
import { introduce } from '../load/introduce.ts';
import { freshEvents, type LoadSpec } from '../load/spec.ts';

const perRequest = 50;

const endToEnd = ({ system, load }: Setting, entries: number, sent: LoadSpec['load']): Promise<Cost> =>
  costOf(system.pathPids(), async () => {
    await load({ connections: 32, requests: entries / perRequest, load: sent });
    await system.quiet();
    return entries;
  });

export const throughput: Bench = {
  name: 'throughput',
  async measure(setting) {
    const people = crowdOf(setting.quick);
    await introduce(setting, people);
    const countIn = (run: number): number => (setting.quick || run < 0 ? 20_000 : 200_000);
    const bare = openBareInsert(setting);
    const pairs = await inTurns(setting.runs, {
      ours: (run) => endToEnd(setting, countIn(run), freshEvents(people, perRequest)),
      bare: (run) => bare({ documents: countIn(run), batch: 1_000 }),
    });
    const work = 'events a second, HTTP to committed';
    return [rateAgainst({ work, yardstick: 'bare inserts', bar: { atLeast: 0.45 }, pairs })];
  },
};

/** Updates of people who exist. */
export const attributes: Bench = {
  name: 'attributes',
  async measure(setting) {
    const countIn = (run: number): number => (setting.quick || run < 0 ? 20_000 : 100_000);
    const bare = openBareUpdate(setting);
    const updates = { kind: 'updates', people: residents, perRequest } as const;
    const pairs = await inTurns(setting.runs, {
      ours: (run) => endToEnd(setting, countIn(run), updates),
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
