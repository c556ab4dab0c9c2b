// What it costs MongoDB to read people among many stored events.
import type { Store } from '@roster/store';
import type { Setting } from './bench.ts';
import { cpuSeconds } from './cpu.ts';
import type { ExportClient } from './export-client.ts';
import type { People } from './load/bodies.ts';

/** Milliseconds of MongoDB's CPU. */
export interface Reads {
  one: number;
  fifty: number;
  last: number;
}

interface Readers {
  client: ExportClient;
  store: Store;
}

/** Of people that no read before has asked for. */
export const readAll = async (
  { system, quick }: Setting,
  { client, store }: Readers,
  people: People,
): Promise<Reads> => {
  const times = quick ? 5 : 40;
  let n = 0;
  const some = (count: number): string[] =>
    Array.from({ length: count }, () => {
      n += 7_919;
      return `${people.prefix}${n % people.count}`;
    });
  const cost = async (work: () => Promise<unknown>): Promise<number> => {
    const before = cpuSeconds(system.pid('mongod'));
    for (let time = 0; time < times; time++) await work();
    return ((cpuSeconds(system.pid('mongod')) - before) / times) * 1_000;
  };
  const fields = ['external_id', 'custom_events'];
  const ids = async (): Promise<string[]> => {
    const found = store.profiles.aggregate<{ _id: string }>([
      { $sample: { size: 50 } },
      { $project: { _id: 1 } },
    ]);
    return (await found.toArray()).map(({ _id }) => _id);
  };
  const samples: string[][] = [];
  for (let time = 0; time < times; time++) samples.push(await ids());
  const activity = () =>
    store.transact((session) => store.events.lastOfEach(samples.pop() ?? [], { session }));
  return {
    one: await cost(() => client.exportOf(some(1), fields)),
    fifty: await cost(() => client.exportOf(some(50), fields)),
    last: await cost(activity),
  };
};
