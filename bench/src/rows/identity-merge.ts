// What a merge costs: whatever history the merged-away person has, and many of them at once.
import { openBareMerge } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { rateAndCpu } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { inHands } from '../hands.ts';
import { type IdentityClient, mergeOf, openIdentityClient, waiting } from '../identity-client.ts';
import { against, eachInTurn, inTurns } from '../in-turns.ts';
import { introduce } from '../load/introduce.ts';
import { spread } from '../stats.ts';
import { openStoreOf } from '../store.ts';
import { addEvents, idsOf } from '../stored-events.ts';

/** Merges into one person after the other: each time all events of the merged people come along. */
const createWanderer = async (setting: Setting, client: IdentityClient, prefix: string, steps: number) => {
  await introduce(setting, { prefix, count: steps + 1 });
  let at = 0;
  return (): Promise<number> =>
    client.post('/users/merge', mergeOf([[`${prefix}${at}`, `${prefix}${++at}`]]), waiting);
};

const history = async (setting: Setting, client: IdentityClient): Promise<Figure> => {
  const { system, runs, quick, say, load } = setting;
  const stored = quick ? 100_000 : 1_000_000;
  const merges = quick ? 15 : 40;
  const steps = (runs + 1) * merges;
  const heavy = await createWanderer(setting, client, 'history-', steps);
  const light = await createWanderer(setting, client, 'nothing-', steps);
  const people = { prefix: 'history-', count: 1 };
  await load({ connections: 4, requests: 40, load: { kind: 'events', people, perRequest: 50 } });
  await system.quiet();
  say(`storing ${stored.toLocaleString('en')} events of one person`);
  const store = await openStoreOf(setting);
  await addEvents(store, await idsOf(store, ['history-0']), stored);

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
  for (const side of ['away', 'kept']) await introduce(setting, { prefix: `${side}-${run}-`, count: merges });
  return costOf({ ...system.pathPids(), identity: system.pid('identity') }, async () => {
    await inHands(merges / perRequest, hands, (n) => {
      const some = pairs.slice(n * perRequest, (n + 1) * perRequest);
      return client.post('/users/merge', mergeOf(some), waiting);
    });
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
