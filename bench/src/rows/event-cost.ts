// What an event costs in CPU, from the socket to the committed row, all processes together.
import type { Bench, Setting } from '../bench.ts';
import { type CpuByProcess, startClock, total } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { crowdOf, type People } from '../load/bodies.ts';
import { freshEvents } from '../load/fresh.ts';
import { introduce } from '../load/introduce.ts';

export interface Cost {
  microsecondsAnEvent: number;
  parts: CpuByProcess;
}

/** Load for a while, then wait until the last event is applied: whatever was used till then was used for these events. */
export const costOfEvents = async (
  { system, load }: Setting,
  spec: { people: People; perRequest: number; connections: number; seconds: number },
): Promise<Cost> => {
  const { people, perRequest, connections, seconds } = spec;
  const stop = startClock(system.pathPids());
  const { answered } = await load({ connections, seconds, load: freshEvents(people, perRequest) });
  await system.quiet();
  const cpu = stop();
  const events = answered * perRequest;
  const parts = Object.fromEntries(Object.entries(cpu).map(([name, used]) => [name, (used / events) * 1e6]));
  return { microsecondsAnEvent: total(parts), parts };
};

const measure = async (
  setting: Setting,
  { perRequest, connections, atMost }: { perRequest: number; connections: number; atMost: number },
): Promise<Figure> => {
  const spec = { people: crowdOf(setting), perRequest, connections };
  await costOfEvents(setting, { ...spec, seconds: 1 });
  const costs: Cost[] = [];
  for (let run = 0; run < setting.runs; run++)
    costs.push(await costOfEvents(setting, { ...spec, seconds: setting.seconds }));
  return {
    work: `CPU an event, everything, ${perRequest} a request, ${connections} connections`,
    unit: 'us',
    bar: { atMost },
    runs: costs.map(({ microsecondsAnEvent }) => microsecondsAnEvent),
    detail: costs.at(-1)?.parts ?? {},
  };
};

export const eventCost: Bench = {
  name: 'event-cost',
  async measure(setting) {
    await introduce(setting, crowdOf(setting));
    // Single events first: the many of the other line would be merged into larger generations at the cost of these.
    return [
      await measure(setting, { perRequest: 1, connections: 256, atMost: 115 }),
      await measure(setting, { perRequest: 50, connections: 64, atMost: 45 }),
    ];
  },
};
