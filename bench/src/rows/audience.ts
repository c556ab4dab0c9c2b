// What it costs to count the people of an audience: by the query alone, and where each person has to be read and tested.
import { openStore, type Store } from '@roster/store';
import type { Bench, Setting } from '../bench.ts';
import { startClock, total } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { crowdOf } from '../load/bodies.ts';
import { introduce } from '../load/introduce.ts';
import { spread } from '../stats.ts';

const plan = (comparison: string, value: string) => ({
  custom_attribute: { custom_attribute_name: 'plan', comparison, value },
});

/** CPU of this process and of mongod, in microseconds. */
const costOf = async (
  { system }: Setting,
  act: () => Promise<number>,
): Promise<{ us: number; count: number }> => {
  const stop = startClock({ bench: process.pid, mongod: system.pid('mongod') });
  const count = await act();
  return { us: total(stop()) * 1e6, count };
};

const assertSame = (...counts: number[]): void => {
  if (new Set(counts).size > 1) throw new Error(`counted ${counts.join(', ')}`);
};

const measureWith = async (setting: Setting, store: Store): Promise<Figure[]> => {
  const { system, runs } = setting;
  const { count: people } = crowdOf(setting);
  const ws = system.workspace;
  const bareQuery = { ws, custom: { $elemMatch: { k: 'plan', v: 'free' } } };
  const [bare, exact, tested]: [number[], number[], number[]] = [[], [], []];
  for (let run = 0; run < runs; run++) {
    const byHand = await costOf(setting, () => store.profiles.countDocuments(bareQuery));
    const byQuery = await costOf(setting, () =>
      store.audiences.count({ ws, audiences: [plan('equals', 'free')] }),
    );
    const byTest = await costOf(setting, () =>
      store.audiences.count({ ws, audiences: [plan('matches_regex', '^fr')] }),
    );
    assertSame(byHand.count, byQuery.count, byTest.count);
    bare.push(byHand.us / byHand.count);
    exact.push(byQuery.us / byQuery.count);
    tested.push(byTest.us / byTest.count);
  }
  return [
    {
      work: `CPU to count an audience of ${people.toLocaleString('en')} by attributes, over the bare query`,
      unit: 'times',
      bar: { atMost: 1.2 },
      runs: exact.map((one, run) => one / (bare[run] ?? Number.NaN)),
      detail: { 'us a person': spread(exact).median, bare: spread(bare).median },
    },
    { work: 'CPU a person where each has to be tested', unit: 'us', bar: { atMost: 30 }, runs: tested },
  ];
};

export const audience: Bench = {
  name: 'audience',
  async measure(setting) {
    await introduce(setting, crowdOf(setting));
    const store = await openStore({ url: setting.system.mongoUrl, appName: 'bench' });
    try {
      return await measureWith(setting, store);
    } finally {
      await store.close();
    }
  },
};
