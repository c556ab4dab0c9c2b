// What an export costs: over the aggregation that it needs, for a field alone, and for those who track meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Setting } from '../bench.ts';
import { startClock, total } from '../cpu.ts';
import { type ExportClient, openExportClient } from '../export-client.ts';
import type { Figure } from '../figure.ts';
import { residents } from '../load/bodies.ts';
import { quantile, spread } from '../stats.ts';

const someResidents = (from: number, count = 50): string[] =>
  Array.from({ length: count }, (_, i) => `${residents.prefix}${from + i}`);

const median = async (times: number, measure: () => Promise<number>): Promise<number> => {
  const all: number[] = [];
  for (let time = 0; time < times; time++) all.push(await measure());
  return quantile(all, 0.5);
};

/** Both in turns, in the same run. */
const overBare = async (
  { runs, quick }: Setting,
  client: ExportClient,
  work: string,
  ids: string[],
  fields: string[],
): Promise<Figure> => {
  const pairs: { ours: number; bare: number }[] = [];
  for (let run = 0; run <= runs; run++) {
    const times = quick ? 3 : 9;
    const bare = await median(times, () => client.aggregate(ids));
    pairs.push({ bare, ours: await median(times, () => client.exportOf(ids, fields)) });
  }
  // The first one warms up.
  const counted = pairs.slice(1);
  return {
    work,
    unit: 'times',
    bar: { atMost: 1.5 },
    runs: counted.map(({ ours, bare }) => ours / bare),
    detail: {
      'export ms': spread(counted.map(({ ours }) => ours)).median,
      'aggregation ms': spread(counted.map(({ bare }) => bare)).median,
    },
  };
};

const emails = async ({ runs, quick }: Setting, client: ExportClient): Promise<Figure> => {
  const times = quick ? 20 : 100;
  const one = () => client.exportOf(someResidents(100), ['email']);
  await median(times, one);
  const medians: number[] = [];
  for (let run = 0; run < runs; run++) medians.push(await median(times, one));
  return {
    work: 'export of the email of 50 people, idle, median',
    unit: 'ms',
    bar: { atMost: 15 },
    runs: medians,
  };
};

const betweenExports = 60_000 / 250;

const beside = async (client: ExportClient, isOver: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  const all: Promise<unknown>[] = [];
  for (let due = performance.now(); !isOver(); due += betweenExports) {
    const ids = someResidents(200 + ((all.length * 50) % 5_000));
    const asked = client.exportOf(ids, ['external_id', 'custom_attributes', 'custom_events']);
    all.push(asked.then((ms) => times.push(ms)));
    await sleep(Math.max(0, due + betweenExports - performance.now()));
  }
  await Promise.all(all);
  return times;
};

/** Events a second, and microseconds of CPU for one. */
interface Rate {
  rate: number;
  cpu: number;
}

const trackRate = async ({ system, load }: Setting, events: number): Promise<Rate> => {
  const began = performance.now();
  const used = startClock(system.allPids());
  const requests = events / 50;
  await load({ connections: 32, requests, load: { kind: 'events', people: residents, perRequest: 50 } });
  await system.quiet();
  return { rate: events / ((performance.now() - began) / 1_000), cpu: (total(used()) / events) * 1e6 };
};

const trackWithExports = async (setting: Setting, client: ExportClient): Promise<Figure> => {
  const events = setting.quick ? 20_000 : 200_000;
  const all = { alone: [] as Rate[], beside: [] as Rate[] };
  const exports: number[] = [];
  await trackRate(setting, 20_000);
  for (let run = 0; run < setting.runs; run++) {
    all.alone.push(await trackRate(setting, events));
    let over = false;
    const exporting = beside(client, () => over);
    all.beside.push(await trackRate(setting, events));
    over = true;
    exports.push(...(await exporting));
  }
  const middle = (some: Rate[], of: keyof Rate) => spread(some.map((one) => one[of])).median;
  return {
    work: 'events a second beside 250 exports of 50 people a minute, against without',
    unit: 'of alone',
    bar: { atLeast: 0.9 },
    runs: all.beside.map(({ rate }, i) => rate / (all.alone[i]?.rate ?? Number.NaN)),
    detail: {
      'events a second alone': middle(all.alone, 'rate'),
      'events a second beside': middle(all.beside, 'rate'),
      'CPU us an event alone': middle(all.alone, 'cpu'),
      'CPU us an event beside, exports included': middle(all.beside, 'cpu'),
      'export ms, median': quantile(exports, 0.5),
    },
  };
};

const million = async (setting: Setting, client: ExportClient): Promise<Figure> => {
  const stored = setting.quick ? 50_000 : 1_000_000;
  const ids = someResidents(9_999, 1);
  setting.say(`storing ${stored.toLocaleString('en')} events of one person`);
  await client.addEvents(ids, stored);
  for (const id of ids) await client.setAttributes(id, 300);
  const work = `export of a person with 300 attributes and ${stored.toLocaleString('en')} events, against the bare aggregation`;
  return overBare(setting, client, work, ids, ['custom_attributes', 'custom_events']);
};

export const exporting: Bench = {
  name: 'export',
  async measure(setting) {
    const client = await openExportClient(setting.system);
    try {
      const ids = someResidents(0);
      await client.addEvents(ids, 2_000);
      const work = 'export of custom_events, 50 people with 2,000 events each, against the bare aggregation';
      return [
        await overBare(setting, client, work, ids, ['external_id', 'custom_events']),
        await emails(setting, client),
        await trackWithExports(setting, client),
        await million(setting, client),
      ];
    } finally {
      await client.close();
    }
  },
};
