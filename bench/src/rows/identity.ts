// Identity operations on an idle system: how long one client waits for the result of each, over what the disk takes to keep a write.
import type { Bench, Setting } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { fsyncTimes } from '../fsync.ts';
import { arrive, type IdentityClient, openIdentityClient } from '../identity-client.ts';
import { quantile } from '../stats.ts';

interface Run {
  times: number[];
  disk: number[];
}

/** One kind of request, each about another person. */
interface Kind {
  name: string;
  path: string;
  prepare(client: IdentityClient, names: readonly string[]): Promise<void>;
  body(name: string): object;
}

const visitor = (name: string) => ({ alias_label: 'web', alias_name: name });

const newAlias: Kind = {
  name: 'alias/new',
  path: '/users/alias/new',
  prepare: arrive,
  body: (name) => ({ user_aliases: [{ ...visitor(name), external_id: name }] }),
};

const identify: Kind = {
  name: 'identify',
  path: '/users/identify',
  async prepare(client, names) {
    await arrive(client, names);
    for (let from = 0; from < names.length; from += 50)
      await client.post('/users/alias/new', { user_aliases: names.slice(from, from + 50).map(visitor) });
  },
  body: (name) => ({
    aliases_to_identify: [{ external_id: name, user_alias: visitor(name) }],
    merge_behavior: 'merge',
  }),
};

const oneRun = async (setting: Setting, client: IdentityClient, kind: Kind, run: number): Promise<Run> => {
  const { system, quick } = setting;
  const count = quick ? 100 : 500;
  const names = Array.from({ length: count }, (_, n) => `${kind.name}-${run}-${n}`);
  await kind.prepare(client, names);
  await system.quiet();
  const disk = fsyncTimes(system.dir, count);
  const times: number[] = [];
  for (const name of names) times.push(await client.post(kind.path, kind.body(name)));
  return { times, disk };
};

const figureOf = (kind: Kind, runs: readonly Run[], share: number, atMost: number): Figure => {
  const of = (values: number[]): number => quantile(values, share);
  const last = runs.at(-1);
  return {
    work: `${kind.name} with its result, idle, one client, ${share === 0.5 ? 'median' : 'p99'}, over the fsync of the disk`,
    unit: 'ms',
    bar: { atMost },
    runs: runs.map(({ times, disk }) => of(times) - of(disk)),
    detail: { answered: of(last?.times ?? []), fsync: of(last?.disk ?? []) },
  };
};

export const identity: Bench = {
  name: 'identity',
  async measure(setting) {
    const client = openIdentityClient(setting.system);
    const figures: Figure[] = [];
    try {
      for (const kind of [newAlias, identify]) {
        await oneRun(setting, client, kind, -1);
        const runs: Run[] = [];
        for (let run = 0; run < setting.runs; run++) runs.push(await oneRun(setting, client, kind, run));
        figures.push(figureOf(kind, runs, 0.5, 15), figureOf(kind, runs, 0.99, 60));
      }
      return figures;
    } finally {
      client.close();
    }
  },
};
