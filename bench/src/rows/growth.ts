// What an event and a read cost as the number of stored events grows: people at random, no event twice, a cache of one gigabyte.
import { isWritten, type Store } from '@roster/store';
import { openBareInsert } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { startClock } from '../cpu.ts';
import { openExportClient } from '../export-client.ts';
import type { Figure } from '../figure.ts';
import { type Reads, readAll } from '../growth-reads.ts';
import { against } from '../in-turns.ts';
import type { People } from '../load/bodies.ts';
import { introduce } from '../load/introduce.ts';
import { type CostWithBytes, costWithBytes } from '../server-bytes.ts';
import { openStoreOf } from '../store.ts';

const marks = [1, 3, 10, 30].map((millions) => millions * 1_000_000);
const quickMarks = [20_000, 60_000];

/** How many events are stored when it is measured; an end of one's own is the last of them. */
const marksUpTo = (quick: boolean, mostEvents: number): number[] => {
  const usual = quick ? quickMarks : marks;
  return mostEvents < (usual.at(-1) ?? 0) ? [...usual.filter((one) => one < mostEvents), mostEvents] : usual;
};
const perRequest = 50;

/** Events are accepted faster than applied: of more at once the ingress refuses some, when Redis is filled with them. */
const mostAtOnce = 2_000_000;

/** What is used from one mark to the next. */
const grow = (
  { system, load }: Setting,
  people: People,
  { from, to }: { from: number; to: number },
): Promise<CostWithBytes> =>
  costWithBytes(system, to - from, async () => {
    const kind = 'fresh-events';
    for (let stored = from; stored < to; stored += mostAtOnce) {
      const requests = Math.min(mostAtOnce, to - stored) / perRequest;
      await load({ connections: 32, requests, load: { kind, people, perRequest, seed: stored + 1 } });
      await system.quiet();
    }
  });

/** Everybody comes once. */
const arrive = async (setting: Setting, people: People): Promise<Cost> =>
  costOf(setting.system.pathPids(), async () => {
    await introduce(setting, people);
    return people.count;
  });

const arrivalsOf = ({ us, parts }: Cost, bare: Cost, { count }: People): Figure =>
  against({
    work: `CPU for a new person, everything, up to ${count.toLocaleString('en')} people`,
    yardstick: 'a bare insert',
    bar: { atMost: 3.5 },
    unit: 'us',
    pairs: [{ ours: us, bare: bare.us }],
    detail: parts,
  });

interface Mark {
  stored: number;
  passed: CostWithBytes;
  reads: Reads;
  /** Inserted right after it. */
  bare: Cost;
  before: CostWithBytes | undefined;
}

const figuresOf = ({ stored, passed, reads, bare, before }: Mark): Figure[] => {
  const { us, perSecond, parts, bytes } = passed;
  const { mongod = 0 } = parts;
  const { mongod: first = mongod } = before?.parts ?? {};
  const upTo = `up to ${stored.toLocaleString('en')} stored`;
  return [
    {
      work: `mongod's CPU an event ${upTo}, over that of the first`,
      unit: 'times',
      bar: before && { atMost: 1.3 },
      runs: [mongod / first],
      detail: {
        'mongod us': mongod,
        'events a second': perSecond,
        'bytes into the cache an event': bytes.read,
        'bytes out of it': bytes.written,
        'bytes to the disk': bytes.toDisk,
        'export of one, mongod ms': reads.one,
        'export of 50': reads.fifty,
        'last activity of 50': reads.last,
      },
    },
    against({
      work: `CPU an event, everything, ${upTo}`,
      yardstick: 'a bare insert',
      bar: { atMost: 3 },
      unit: 'us',
      pairs: [{ ours: us, bare: bare.us }],
    }),
    { work: `disk for an event, ${upTo}`, unit: 'bytes', bar: { atMost: 75 }, runs: [bytes.onDisk] },
    ...(before
      ? [
          {
            work: `events a second ${upTo}, over the first`,
            unit: 'times',
            bar: { atLeast: 0.85 },
            runs: [perSecond / before.perSecond],
          },
        ]
      : []),
  ];
};

const inTwoHours = 2 * 60 * 60 * 1000;

/** As the track service does from time to time, without its rests: what is closed counts as old enough. */
const mergeAll = async (
  { system }: Setting,
  store: Store,
  read: () => Promise<Reads>,
): Promise<Figure | undefined> => {
  const count = async () => (await store.events.generations.all()).filter(isWritten).length;
  const [before, readsBefore] = [await count(), await read()];
  const [own, stop] = [process.cpuUsage(), startClock(system.pathPids())];
  const { events } = await store.merging.run({ now: Date.now() + inTwoHours, restMs: () => 0 });
  const { mongod = 0 } = stop();
  const { user, system: kernel } = process.cpuUsage(own);
  if (events === 0) return undefined;
  const [after, reads] = [await count(), await read()];
  return {
    work: `mongod's CPU for an event that moves into a larger generation, ${before} generations become ${after}`,
    unit: 'us',
    bar: undefined,
    runs: [(mongod / events) * 1e6],
    detail: {
      'events that moved': events,
      'us of the process that moves them': (user + kernel) / events,
      'export of one before, mongod ms': readsBefore.one,
      'export of one': reads.one,
      'export of 50 before': readsBefore.fifty,
      'export of 50': reads.fifty,
      'last activity of 50 before': readsBefore.last,
      'last activity of 50': reads.last,
    },
  };
};

export const growth: Bench = {
  name: 'growth',
  cacheGb: 1,
  async measure(setting) {
    const { quick, say, mostEvents = Number.POSITIVE_INFINITY } = setting;
    const people: People = { prefix: 'growth-', count: quick ? 20_000 : 1_000_000 };
    say(`making ${people.count.toLocaleString('en')} people`);
    const arrivals = await arrive(setting, people);
    const insert = openBareInsert(setting);
    const readers = { client: await openExportClient(setting), store: await openStoreOf(setting) };
    const read = () => readAll(setting, readers, people);
    const figures: Figure[] = [];
    let [stored, first]: [number, CostWithBytes | undefined] = [0, undefined];
    for (const mark of marksUpTo(quick, mostEvents)) {
      const passed = await grow(setting, people, { from: stored, to: mark });
      stored = mark;
      const reads = await read();
      const bare = await insert({ documents: quick ? 20_000 : 100_000, batch: 1_000 });
      if (!first) figures.push(arrivalsOf(arrivals, bare, people));
      for (const figure of figuresOf({ stored, passed, reads, bare, before: first })) {
        say(`${figure.work}: ${JSON.stringify({ runs: figure.runs, ...figure.detail })}`);
        figures.push(figure);
      }
      first ??= passed;
    }
    const merged = await mergeAll(setting, readers.store, read);
    return merged ? [...figures, merged] : figures;
  },
};
