// How long one client of an idle system waits for its receipt, against a plain application that keeps the request on the same Redis.
import { openPlainExpress } from '../baselines/open-bare.ts';
import type { Bench } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { against, each, inTurns } from '../in-turns.ts';
import { residents } from '../load/bodies.ts';

const load = { kind: 'events', people: residents, perRequest: 1 } as const;

export const receipt: Bench = {
  name: 'receipt',
  async measure(setting) {
    const { system, runs, quick, load: send, loadAt } = setting;
    const plain = await openPlainExpress(setting);
    const spec = { connections: 1, requests: quick ? 200 : 1_000, load };
    const pairs = await inTurns(runs, {
      async ours() {
        const report = await send(spec);
        await system.quiet();
        return report;
      },
      bare: () => loadAt(plain.url('/kept'), spec),
    });
    const figureOf = (name: 'p50' | 'p99', words: string, atMost: number): Figure =>
      against({
        work: `receipt, idle, one client, ${words}`,
        yardstick: 'plain Express that keeps it on the same Redis',
        bar: { atMost },
        unit: 'ms',
        pairs: each(pairs, (report) => report[name]),
      });
    return [figureOf('p50', 'median', 5), figureOf('p99', 'p99', 4)];
  },
};
