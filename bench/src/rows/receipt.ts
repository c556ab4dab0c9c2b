// How long one client of an idle system waits for its receipt, against a plain application that keeps the request on the same Redis.
import { openPlainExpress } from '../baselines/open-plain-express.ts';
import type { Bench } from '../bench.ts';
import { against, each, inTurns } from '../in-turns.ts';
import { residents } from '../load/bodies.ts';

const load = { kind: 'events', people: residents, perRequest: 1 } as const;

export const receipt: Bench = {
  name: 'receipt',
  async measure({ system, runs, quick, load: send, loadAt }) {
    const plain = await openPlainExpress(system);
    const spec = { connections: 1, requests: quick ? 200 : 1_000, load };
    try {
      const pairs = await inTurns(runs, {
        async ours() {
          const report = await send(spec);
          await system.quiet();
          return report;
        },
        bare: () => loadAt(plain.url('/kept'), spec),
      });
      const usual = { yardstick: 'plain Express that keeps it on the same Redis', unit: 'ms' };
      const work = 'receipt, idle, one client';
      return [
        against({
          ...usual,
          work: `${work}, median`,
          bar: { atMost: 5 },
          pairs: each(pairs, ({ p50 }) => p50),
        }),
        against({ ...usual, work: `${work}, p99`, bar: { atMost: 4 }, pairs: each(pairs, ({ p99 }) => p99) }),
      ];
    } finally {
      await plain.stop();
    }
  },
};
