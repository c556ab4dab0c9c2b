// What an export costs: over the aggregation that it needs, for a field alone, and for those who track meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { openPlainExpress, type PlainExpress } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { type ExportClient, openExportClient } from '../export-client.ts';
import type { Figure } from '../figure.ts';
import { against, each, eachInTurn, inTurns } from '../in-turns.ts';
import { residents } from '../load/bodies.ts';
import { quantile, spread } from '../stats.ts';

const someResidents = (from: number, count = 50): string[] =>
  Array.from({ length: count }, (_, i) => `${residents.prefix}${from + i}`);

const median = async (times: number, measure: () => Promise<number>): Promise<number> =>
  quantile(await eachInTurn(times, measure), 0.5);

/** Milliseconds, each the median of some. */
const overBare = async (
  { runs, quick }: Setting,
  client: ExportClient,
  work: string,
  ids: string[],
  fields: string[],
): Promise<Figure> => {
  const times = quick ? 3 : 9;
  return against({
    work,
    yardstick: 'the bare aggregation',
    bar: { atMost: 1.5 },
    unit: 'ms',
    pairs: await inTurns(runs, {
      ours: () => median(times, () => client.exportOf(ids, fields)),
      bare: () => median(times, () => client.aggregate(ids)),
    }),
  });
};

const emails = async (
  { runs, quick }: Setting,
  client: ExportClient,
  plain: PlainExpress,
): Promise<Figure> => {
  const times = quick ? 20 : 100;
  const ids = someResidents(100);
  return against({
    work: 'export of the email of 50 people, idle, median',
    yardstick: 'plain Express that keeps it and makes a bare transaction',
    bar: { atMost: 2 },
    unit: 'ms',
    pairs: await inTurns(runs, {
      ours: () => median(times, () => client.exportOf(ids, ['email'])),
      bare: () => median(times, () => client.exportOf(ids, ['email'], plain.url('/carried-out'))),
    }),
  });
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

const trackRate = ({ system, load }: Setting, events: number): Promise<Cost> =>
  costOf(system.allPids(), async () => {
    const requests = events / 50;
    await load({ connections: 32, requests, load: { kind: 'events', people: residents, perRequest: 50 } });
    await system.quiet();
    return events;
  });

const trackWithExports = async (setting: Setting, client: ExportClient): Promise<Figure> => {
  const events = setting.quick ? 20_000 : 200_000;
  const exports: number[] = [];
  const pairs = await inTurns(setting.runs, {
    bare: () => trackRate(setting, events),
    async ours() {
      let over = false;
      const exporting = beside(client, () => over);
      const rate = await trackRate(setting, events);
      over = true;
      exports.push(...(await exporting));
      return rate;
    },
  });
  const middle = (side: 'ours' | 'bare') => spread(pairs.map((pair) => pair[side].us)).median;
  return against({
    work: 'events a second beside 250 exports of 50 people a minute',
    yardstick: 'without them',
    bar: { atLeast: 0.9 },
    unit: 'a second',
    pairs: each(pairs, ({ perSecond }) => perSecond),
    detail: {
      'CPU us an event alone': middle('bare'),
      'CPU us an event beside, exports included': middle('ours'),
      'export ms, median': quantile(exports, 0.5),
    },
  });
};

const million = async (setting: Setting, client: ExportClient): Promise<Figure> => {
  const stored = setting.quick ? 50_000 : 1_000_000;
  const ids = someResidents(9_999, 1);
  setting.say(`storing ${stored.toLocaleString('en')} events of one person`);
  await client.addEvents(ids, stored);
  for (const id of ids) await client.setAttributes(id, 300);
  const work = `export of a person with 300 attributes and ${stored.toLocaleString('en')} events`;
  return overBare(setting, client, work, ids, ['custom_attributes', 'custom_events']);
};

export const exporting: Bench = {
  name: 'export',
  async measure(setting) {
    const client = await openExportClient(setting);
    const plain = await openPlainExpress(setting);
    const ids = someResidents(0);
    await client.addEvents(ids, 2_000);
    const work = 'export of custom_events, 50 people with 2,000 events each';
    return [
      await overBare(setting, client, work, ids, ['external_id', 'custom_events']),
      await emails(setting, client, plain),
      await trackWithExports(setting, client),
      await million(setting, client),
    ];
  },
};
