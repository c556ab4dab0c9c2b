// An event of a person with a million events must cost as much as their first one.
import type { Bench, Setting } from '../bench.ts';
import { spread } from '../stats.ts';
import { costOfEvents } from './event-cost.ts';

const person = (name: string) => ({ prefix: name, count: 1 });

export const bigProfile: Bench = {
  name: 'big-profile',
  async measure(setting: Setting) {
    const { system, runs, seconds, quick, say } = setting;
    const stored = quick ? 50_000 : 1_000_000;
    const spec = { perRequest: 50, connections: 32 };
    const heavy = person('heavy-');
    await costOfEvents(setting, { ...spec, people: heavy, seconds: 1 });
    say(`storing ${stored.toLocaleString('en')} events of one person`);
    await system.multiplyEvents('heavy-0', stored);

    const costs = { heavy: [] as number[], fresh: [] as number[] };
    for (let run = 0; run < runs; run++) {
      const fresh = await costOfEvents(setting, { ...spec, people: person(`fresh-${run}-`), seconds });
      const old = await costOfEvents(setting, { ...spec, people: heavy, seconds });
      costs.fresh.push(fresh.microsecondsAnEvent);
      costs.heavy.push(old.microsecondsAnEvent);
    }
    return [
      {
        work: `CPU an event, person with ${stored.toLocaleString('en')} events, against a new one`,
        unit: 'times',
        bar: { atMost: 1.1 },
        runs: costs.heavy.map((us, i) => us / (costs.fresh[i] ?? Number.NaN)),
        detail: { 'heavy us': spread(costs.heavy).median, 'new us': spread(costs.fresh).median },
      },
    ];
  },
};
