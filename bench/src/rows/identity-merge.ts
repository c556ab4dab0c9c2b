// What a merge costs: whatever history the merged-away person has, and many of them at once.
import type { Bench, Setting } from '../bench.ts';
import { type CpuByProcess, startClock, total } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { arrive, type IdentityClient, mergeOf, openIdentityClient, waiting } from '../identity-client.ts';
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
  const each = quick ? 15 : 40;
  const steps = (runs + 1) * each;
  const heavy = await createWanderer(client, 'history', steps);
  const light = await createWanderer(client, 'nothing', steps);
  const people = { prefix: 'history-', count: 1 };
  await load({ connections: 4, requests: 40, load: { kind: 'events', people, perRequest: 50 } });
  await system.quiet();
  say(`storing ${stored.toLocaleString('en')} events of one person`);
  await system.multiplyEvents('history-0', stored);

  const medians = { heavy: [] as number[], light: [] as number[] };
  for (let run = 0; run <= runs; run++) {
    const times = { heavy: [] as number[], light: [] as number[] };
    for (let n = 0; n < each; n++) {
      times.light.push(await light());
      times.heavy.push(await heavy());
    }
    // The first one warms up.
    if (run === 0) continue;
    medians.heavy.push(spread(times.heavy).median);
    medians.light.push(spread(times.light).median);
  }
  return {
    work: `merge of a person with ${stored.toLocaleString('en')} events, applied, against one with none`,
    unit: 'times',
    bar: { atMost: 1.2 },
    runs: medians.heavy.map((ms, i) => ms / (medians.light[i] ?? Number.NaN)),
    detail: { 'with events ms': spread(medians.heavy).median, 'with none ms': spread(medians.light).median },
  };
};

const perRequest = 50;
const hands = 32;

interface Rush {
  perSecond: number;
  parts: CpuByProcess;
}

const rush = async (setting: Setting, client: IdentityClient, run: number): Promise<Rush> => {
  const { system, quick } = setting;
  const merges = quick ? 2_000 : 10_000;
  const pairs = Array.from({ length: merges }, (_, n) => [`away-${run}-${n}`, `kept-${run}-${n}`] as const);
  await arrive(client, pairs.flat());
  await system.quiet();
  const requests = Array.from({ length: merges / perRequest }, (_, n) =>
    mergeOf(pairs.slice(n * perRequest, n * perRequest + perRequest)),
  ).values();
  const stop = startClock({ ...system.pathPids(), identity: system.pid('identity') });
  const began = performance.now();
  const work = async () => {
    for (const body of requests) await client.post('/users/merge', body, waiting);
  };
  await Promise.all(Array.from({ length: hands }, work));
  const seconds = (performance.now() - began) / 1_000;
  const parts = Object.entries(stop()).map(([name, used]) => [name, (used / merges) * 1e6] as const);
  return { perSecond: merges / seconds, parts: Object.fromEntries(parts) };
};

const many = async (setting: Setting, client: IdentityClient): Promise<Figure[]> => {
  await rush(setting, client, -1);
  const all: Rush[] = [];
  for (let run = 0; run < setting.runs; run++) all.push(await rush(setting, client, run));
  const what = `merges of distinct pairs, ${perRequest} a request, HTTP to committed`;
  return [
    {
      work: `${what}, a second`,
      unit: 'merges',
      bar: { atLeast: 1_000 },
      runs: all.map(({ perSecond }) => perSecond),
    },
    {
      work: `CPU a merge, everything, ${perRequest} a request`,
      unit: 'us',
      bar: undefined,
      runs: all.map(({ parts }) => total(parts)),
      detail: all.at(-1)?.parts ?? {},
    },
  ];
};

export const identityMerge: Bench = {
  name: 'identity-merge',
  async measure(setting) {
    const client = openIdentityClient(setting.system);
    try {
      return [...(await many(setting, client)), await history(setting, client)];
    } finally {
      client.close();
    }
  },
};
