// What the client costs its caller: a request against bare fetch, and an event of a batch.
import type { Calling } from '../baselines/caller.ts';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { spread } from '../stats.ts';

export const client: Bench = {
  name: 'client',
  async measure({ runs, quick }) {
    const server = startChild<object, number>('./baselines/answering.js');
    const caller = startChild<Calling, number>('./baselines/caller.js');
    const found = { client: [] as number[], fetch: [] as number[], batch: [] as number[] };
    const counts = quick
      ? { client: 1_000, fetch: 1_000, batch: 50_000 }
      : { client: 5_000, fetch: 5_000, batch: 200_000 };
    try {
      const url = `http://127.0.0.1:${await server.ask({})}`;
      for (let run = -1; run < runs; run++)
        for (const way of ['fetch', 'client', 'batch'] as const) {
          const us = await caller.ask({ url, way, count: counts[way] });
          if (run >= 0) found[way].push(us);
        }
    } finally {
      await caller.stop();
      await server.stop();
    }
    return [
      {
        work: 'CPU a request of the client, against bare fetch',
        unit: 'times',
        bar: { atMost: 1.3 },
        runs: found.client.map((ours, run) => ours / (found.fetch[run] ?? Number.NaN)),
        detail: { 'client us': spread(found.client).median, 'bare fetch us': spread(found.fetch).median },
      },
      {
        work: 'CPU an event through batch() of the client',
        unit: 'us',
        bar: { atMost: 5 },
        runs: found.batch,
      },
    ];
  },
};
