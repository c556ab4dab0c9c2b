// What people cost who do not fit into MongoDB's cache: a new one, an event and an update of one of them, a cache of one gigabyte.
import type { Bench, Setting } from '../bench.ts';
import type { Figure } from '../figure.ts';
import type { People } from '../load/bodies.ts';
import { introduce } from '../load/introduce.ts';
import { freshEvents, freshUpdates } from '../load/spec.ts';
import { costWithBytes } from '../server-bytes.ts';

const perRequest = 50;

const figureOf = async (
  { system }: Setting,
  work: string,
  count: number,
  act: () => Promise<unknown>,
): Promise<Figure> => {
  const { us, parts, bytes, onDisk } = await costWithBytes(system, count, act);
  return {
    work,
    unit: 'us',
    bar: undefined,
    runs: [us],
    detail: {
      ...parts,
      'bytes into the cache': bytes.read,
      'bytes out of it': bytes.written,
      'MB on disk': onDisk / 1e6,
    },
  };
};

/** Everybody, in a tenth at a time: the last one is the price among all the others. */
const arrive = async (setting: Setting, prefix: string, most: number): Promise<Figure> => {
  const step = most / 10;
  const share = (from: number) => {
    const people: People = { prefix, count: from + step };
    const work = `CPU for a new person, everything, ${people.count.toLocaleString('en')} stored`;
    return figureOf(setting, work, step, () => introduce(setting, people, from));
  };
  let last = await share(0);
  for (let from = step; from < most; from += step) {
    setting.say(`${last.work}: ${JSON.stringify({ runs: last.runs, ...last.detail })}`);
    last = await share(from);
  }
  return last;
};

export const people: Bench = {
  name: 'people',
  cacheGb: 1,
  async measure(setting) {
    const { quick, load, mostPeople } = setting;
    const most = mostPeople ?? (quick ? 20_000 : 10_000_000);
    const figures = [await arrive(setting, 'of-many-', most)];
    const count = quick ? 10_000 : 400_000;
    const sent = { connections: 32, requests: count / perRequest };
    for (const drawn of [most / 1_000, most / 10, most]) {
      const some: People = { prefix: 'of-many-', count: drawn };
      const from = `drawn from ${drawn.toLocaleString('en')} of ${most.toLocaleString('en')}`;
      figures.push(
        await figureOf(setting, `CPU an event, everything, ${from}`, count, () =>
          load({ ...sent, load: freshEvents(some, perRequest) }),
        ),
        await figureOf(setting, `CPU an update, everything, ${from}`, count, () =>
          load({ ...sent, load: freshUpdates(some, perRequest) }),
        ),
      );
    }
    return figures;
  },
};
