// What an event and a read cost as the number of stored events grows: people at random, no event twice, a cache of one gigabyte.
import { openStore } from '@roster/store';
import type { Bench, Setting } from '../bench.ts';
import { type CpuByProcess, startClock, total } from '../cpu.ts';
import { openExportClient } from '../export-client.ts';
import type { Figure } from '../figure.ts';
import { type Reads, readAll } from '../growth-reads.ts';
import type { People } from '../load/bodies.ts';
import { serverBytes } from '../server-bytes.ts';

const marks = [1, 3, 10, 30].map((millions) => millions * 1_000_000);
const quickMarks = [20_000, 60_000];
const perRequest = 50;

/** What was used from the last mark to this one. */
interface Passed {
  events: number;
  seconds: number;
  cpu: CpuByProcess;
  read: number;
  written: number;
  onDisk: number;
}

const grow = async (
  { system, load }: Setting,
  people: People,
  { events, seed }: { events: number; seed: number },
): Promise<Passed> => {
  const before = await serverBytes(system.mongoUrl);
  const [began, stop] = [performance.now(), startClock(system.pathPids())];
  const kind = 'fresh-events';
  await load({ connections: 32, requests: events / perRequest, load: { kind, people, perRequest, seed } });
  await system.quiet();
  const [cpu, seconds] = [stop(), (performance.now() - began) / 1_000];
  const after = await serverBytes(system.mongoUrl);
  const [read, written] = [after.read - before.read, after.written - before.written];
  return { events, seconds, cpu, read, written, onDisk: after.onDisk - before.onDisk };
};

const figureOf = (stored: number, passed: Passed, reads: Reads, first: Passed | undefined): Figure => {
  const an = (value: number): number => value / passed.events;
  const mongod = (of: Passed): number => ((of.cpu.mongod ?? 0) / of.events) * 1e6;
  return {
    work: `mongod's CPU an event up to ${stored.toLocaleString('en')} stored, over that of the first`,
    unit: 'times',
    bar: first && { atMost: 1.3 },
    runs: [mongod(passed) / mongod(first ?? passed)],
    detail: {
      'mongod us': mongod(passed),
      'all us': an(total(passed.cpu)) * 1e6,
      'events a second': passed.events / passed.seconds,
      'bytes into the cache an event': an(passed.read),
      'bytes out of it': an(passed.written),
      'disk bytes': an(passed.onDisk),
      'export of one, mongod ms': reads.one,
      'export of 50': reads.fifty,
      'last activity of 50': reads.last,
    },
  };
};

export const growth: Bench = {
  name: 'growth',
  cacheGb: 1,
  async measure(setting) {
    const { system, quick, say, mostEvents = Number.POSITIVE_INFINITY } = setting;
    const people: People = { prefix: 'growth-', count: quick ? 20_000 : 1_000_000 };
    say(`making ${people.count.toLocaleString('en')} people`);
    await setting.load({ connections: 32, load: { kind: 'arrivals', people } });
    await system.quiet();
    const client = await openExportClient(system);
    const store = await openStore({ url: system.mongoUrl, appName: 'bench' });
    try {
      const figures: Figure[] = [];
      let [stored, first]: [number, Passed | undefined] = [0, undefined];
      for (const mark of (quick ? quickMarks : marks).filter((one) => one <= mostEvents)) {
        const passed = await grow(setting, people, { events: mark - stored, seed: mark });
        stored = mark;
        const figure = figureOf(stored, passed, await readAll(setting, { client, store }, people), first);
        say(`${figure.work}: ${JSON.stringify({ runs: figure.runs, ...figure.detail })}`);
        figures.push(figure);
        first ??= passed;
      }
      return figures;
    } finally {
      await client.close();
      await store.close();
    }
  },
};
