// An event of a person with a million events must cost as much as their first one.
import type { Bench, Setting } from '../bench.ts';
import { cpuAgainst } from '../cost-figures.ts';
import { inTurns } from '../in-turns.ts';
import { openStoreOf } from '../store.ts';
import { addEvents, idsOf } from '../stored-events.ts';
import { costOfEvents } from './event-cost.ts';

const person = (name: string) => ({ prefix: name, count: 1 });

export const bigProfile: Bench = {
  name: 'big-profile',
  async measure(setting: Setting) {
    const { runs, seconds, quick, say } = setting;
    const stored = quick ? 50_000 : 1_000_000;
    const spec = { perRequest: 50, connections: 32 };
    const heavy = person('heavy-');
    await costOfEvents(setting, { ...spec, people: heavy, seconds: 1 });
    say(`storing ${stored.toLocaleString('en')} events of one person`);
    const store = await openStoreOf(setting);
    await addEvents(store, await idsOf(store, ['heavy-0']), stored);

    const pairs = await inTurns(runs, {
      bare: (run) => costOfEvents(setting, { ...spec, people: person(`fresh-${run}-`), seconds }),
      ours: () => costOfEvents(setting, { ...spec, people: heavy, seconds }),
    });
    return [
      cpuAgainst({
        work: `CPU an event, person with ${stored.toLocaleString('en')} events`,
        yardstick: 'a new one',
        bar: { atMost: 1.1 },
        pairs,
      }),
    ];
  },
};
