// How long one client of an idle system waits for its receipt, over what the disk itself takes to keep a write.
import type { Bench, Setting } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { fsyncTimes } from '../fsync.ts';
import { residents } from '../load/bodies.ts';
import { quantile } from '../stats.ts';

const load = { kind: 'events', people: residents, perRequest: 1 } as const;

const over = (work: string, atMost: number, pairs: { receipt: number; disk: number }[]): Figure => ({
  work,
  unit: 'ms',
  bar: { atMost },
  runs: pairs.map(({ receipt, disk }) => receipt - disk),
  detail: { receipt: pairs.at(-1)?.receipt ?? 0, fsync: pairs.at(-1)?.disk ?? 0 },
});

export const receipt: Bench = {
  name: 'receipt',
  async measure({ system, runs, quick, load: send }: Setting) {
    const requests = quick ? 200 : 1_000;
    const median: { receipt: number; disk: number }[] = [];
    const p99: { receipt: number; disk: number }[] = [];
    for (let run = 0; run < runs; run++) {
      const disk = fsyncTimes(system.dir, requests);
      const { p50: middle, p99: slow } = await send({ connections: 1, requests, load });
      await system.quiet();
      median.push({ receipt: middle, disk: quantile(disk, 0.5) });
      p99.push({ receipt: slow, disk: quantile(disk, 0.99) });
    }
    return [
      over('receipt, idle, one client, median, over the fsync of the disk', 5, median),
      over('receipt, idle, one client, p99, over the fsync of the disk', 20, p99),
    ];
  },
};
