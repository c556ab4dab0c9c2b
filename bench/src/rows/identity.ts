// Identity operations on an idle system: how long one client waits for the result of each, against a plain application on the same servers.
import { openPlainExpress, type PlainExpress } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { type IdentityClient, openIdentityClient } from '../identity-client.ts';
import { against, each, eachInTurn, inTurns } from '../in-turns.ts';
import { introduce } from '../load/introduce.ts';
import { quantile } from '../stats.ts';

/** One kind of request, each about another person, who is there. */
interface Kind {
  name: string;
  path: string;
  prepare?(client: IdentityClient, names: readonly string[]): Promise<void>;
  body(name: string): object;
}

const visitor = (name: string) => ({ alias_label: 'web', alias_name: name });

const newAlias: Kind = {
  name: 'alias/new',
  path: '/users/alias/new',
  body: (name) => ({ user_aliases: [{ ...visitor(name), external_id: name }] }),
};

const identify: Kind = {
  name: 'identify',
  path: '/users/identify',
  async prepare(client, names) {
    for (let from = 0; from < names.length; from += 50)
      await client.post('/users/alias/new', { user_aliases: names.slice(from, from + 50).map(visitor) });
  },
  body: (name) => ({
    aliases_to_identify: [{ external_id: name, user_alias: visitor(name) }],
    merge_behavior: 'merge',
  }),
};

const compare = async (setting: Setting, client: IdentityClient, plain: PlainExpress, kind: Kind) => {
  const { system, quick, runs } = setting;
  const count = quick ? 100 : 500;
  const nameOf = (run: number, n: number): string => `${kind.name}-${run}-${n}`;
  const pairs = await inTurns(runs, {
    async ours(run) {
      const names = Array.from({ length: count }, (_, n) => nameOf(run, n));
      await introduce(setting, { prefix: `${kind.name}-${run}-`, count });
      await kind.prepare?.(client, names);
      await system.quiet();
      return eachInTurn(count, (n) => client.post(kind.path, kind.body(nameOf(run, n))));
    },
    bare: (run) =>
      eachInTurn(count, (n) => client.post(plain.url('/carried-out'), kind.body(nameOf(run, n)))),
  });
  const figureOf = (share: number, atMost: number): Figure =>
    against({
      work: `${kind.name} with its result, idle, one client, ${share === 0.5 ? 'median' : 'p99'}`,
      yardstick: 'plain Express that keeps it and makes a bare transaction',
      bar: { atMost },
      unit: 'ms',
      pairs: each(pairs, (waits) => quantile(waits, share)),
    });
  return [figureOf(0.5, 5), figureOf(0.99, 5)];
};

export const identity: Bench = {
  name: 'identity',
  async measure(setting) {
    const client = openIdentityClient(setting);
    const plain = await openPlainExpress(setting);
    return [
      ...(await compare(setting, client, plain, newAlias)),
      ...(await compare(setting, client, plain, identify)),
    ];
  },
};
