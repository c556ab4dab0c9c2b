// What a merge costs: whatever history the merged-away person has, and many of them at once.
import { openBareMerge } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { rateAndCpu } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { arrive, type IdentityClient, mergeOf, openIdentityClient, waiting } from '../identity-client.ts';
import { against, eachInTurn, inTurns } from '../in-turns.ts';
import { spread } from '../stats.ts';

/** Merges into one person after the other: each time all events of the merged people come along. */
const createWanderer = async (client: IdentityClient, name: string, steps: number) => {
  const names = Array.from({ length: steps + 1 }, (_, n) => `${name}-${n}`);
  await arrive(client, names);
  let at = 0;
  return async (): Promise<number> => {
    const pair = [names[at] ?? '', names[at + 1] ?? ''] as const;
    at++;
    return client.post('/users/merge', mergeOf([pair]), waiting);
  };
};

const history = async (setting: Setting, client: IdentityClient): Promise<Figure> => {
  const { system, runs, quick, say, load } = setting;
  const stored = quick ? 100_000 : 1_000_000;
  const merges = quick ? 15 : 40;
  const steps = (runs + 1) * merges;
  const heavy = await createWanderer(client, 'history', steps);
  const light = await createWanderer(client, 'nothing', steps);
  const people = { prefix: 'history-', count: 1 };
  await load({ connections: 4, requests: 40, load: { kind: 'events', people, perRequest: 50 } });
  await system.quiet();
  say(`storing ${stored.toLocaleString('en')} events of one person`);
  await system.multiplyEvents('history-0', stored);

  const medianOf = (merge: () => Promise<number>) => async (): Promise<number> =>
    spread(await eachInTurn(merges, merge)).median;
  return against({
    work: `merge of a person with ${stored.toLocaleString('en')} events, applied`,
    yardstick: 'one with none',
    bar: { atMost: 1.2 },
    unit: 'ms',
    pairs: await inTurns(runs, { ours: medianOf(heavy), bare: medianOf(light) }),
  });
};

const perRequest = 50;
const hands = 32;

const rush = async (setting: Setting, client: IdentityClient, run: number, merges: number): Promise<Cost> => {
  const { system } = setting;
  const pairs = Array.from({ length: merges }, (_, n) => [`away-${run}-${n}`, `kept-${run}-${n}`] as const);
  await arrive(client, pairs.flat());
  await system.quiet();
  const requests = Array.from({ length: merges / perRequest }, (_, n) =>
    mergeOf(pairs.slice(n * perRequest, n * perRequest + perRequest)),
  ).values();
  const work = async () => {
    for (const body of requests) await client.post('/users/merge', body, waiting);
  };
  return costOf({ ...system.pathPids(), identity: system.pid('identity') }, async () => {
    await Promise.all(Array.from({ length: hands }, work));
    return merges;
  });
};

const many = async (setting: Setting, client: IdentityClient): Promise<Figure[]> => {
  const merges = setting.quick ? 2_000 : 10_000;
  const bare = openBareMerge(setting);
  const pairs = await inTurns(setting.runs, {
    ours: (run) => rush(setting, client, run, merges),
    bare: () => bare({ merges, batch: perRequest }),
  });
  return rateAndCpu({
    yardstick: `bare transactions of ${perRequest} pairs`,
    pairs,
    rate: {
      work: `merges of distinct pairs, ${perRequest} a request, HTTP to committed, a second`,
      bar: { atLeast: 0.35 },
    },
    cpu: { work: `CPU a merge, everything, ${perRequest} a request`, bar: { atMost: 3.5 } },
  });
};

export const identityMerge: Bench = {
  name: 'identity-merge',
  async measure(setting) {
    const client = openIdentityClient(setting);
    return [...(await many(setting, client)), await history(setting, client)];
  },
};
