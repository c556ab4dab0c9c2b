// What it costs to count the people of an audience: by the query alone, and where each person has to be read and tested.
import type { Store } from '@roster/store';
import type { Bench, Setting } from '../bench.ts';
import { costOf } from '../cost.ts';
import { cpuAgainst } from '../cost-figures.ts';
import type { Figure } from '../figure.ts';
import { inTurns } from '../in-turns.ts';
import { crowdOf } from '../load/bodies.ts';
import { introduce } from '../load/introduce.ts';
import { openStoreOf } from '../store.ts';

const plan = (comparison: string, value: string) => ({
  custom_attribute: { custom_attribute_name: 'plan', comparison, value },
});

/** Everybody is read and tested, by the driver alone. */
const countByHand = async ({ profiles }: Store, ws: string, fits: RegExp): Promise<number> => {
  let count = 0;
  const all = profiles.find<{ custom?: { k: string; v: unknown }[] }>(
    { ws },
    { projection: { custom: 1 }, batchSize: 5_000 },
  );
  for await (const { custom = [] } of all)
    if (custom.some(({ k, v }) => k === 'plan' && typeof v === 'string' && fits.test(v))) count++;
  return count;
};

const assertSame = (counts: number[]): void => {
  if (new Set(counts).size > 1) throw new Error(`counted ${counts.join(', ')}`);
};

const measure = async (setting: Setting): Promise<Figure[]> => {
  const { system, quick, runs } = setting;
  await introduce(setting, crowdOf(quick));
  const store = await openStoreOf(setting);
  const { count: people } = crowdOf(quick);
  const ws = system.workspace;
  const pids = { bench: process.pid, mongod: system.pid('mongod') };
  const counts: number[] = [];
  /** For each one who is counted. */
  const costOfCount = (count: () => Promise<number>) => () =>
    costOf(pids, async () => {
      const found = await count();
      counts.push(found);
      return found;
    });
  const byAudience = (asked: ReturnType<typeof plan>) =>
    costOfCount(() => store.audiences.count({ ws, audiences: [asked] }));
  const byQuery = await inTurns(runs, {
    ours: byAudience(plan('equals', 'free')),
    bare: costOfCount(() =>
      store.profiles.countDocuments({ ws, custom: { $elemMatch: { k: 'plan', v: 'free' } } }),
    ),
  });
  const byTest = await inTurns(runs, {
    ours: byAudience(plan('matches_regex', '^fr')),
    bare: costOfCount(() => countByHand(store, ws, /^fr/)),
  });
  assertSame(counts);
  return [
    cpuAgainst({
      work: `CPU to count an audience of ${people.toLocaleString('en')} by attributes, a person`,
      yardstick: 'the bare query',
      bar: { atMost: 1.2 },
      pairs: byQuery,
    }),
    cpuAgainst({
      work: 'CPU where each person has to be tested',
      yardstick: 'reading and testing each with the bare driver',
      bar: { atMost: 1.5 },
      pairs: byTest,
    }),
  ];
};

export const audience: Bench = { name: 'audience', measure };
