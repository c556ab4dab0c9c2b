// The cost of the client for its caller: a request, and an event of a batch, against bare fetch.
import type { Calling } from '../baselines/caller.ts';
import { openCalling } from '../baselines/open-bare.ts';
import type { Bench } from '../bench.ts';
import { against, inTurns } from '../in-turns.ts';

export const client: Bench = {
  name: 'client',
  async measure({ runs, quick, atEnd }) {
    const { server, caller } = openCalling(atEnd);
    const counts = quick
      ? { client: 1_000, fetch: 1_000, batch: 50_000 }
      : { client: 5_000, fetch: 5_000, batch: 200_000 };
    const { url } = await server.ask({});
    const us = (way: Calling['way']) => () => caller.ask({ url, way, count: counts[way] });
    const requests = await inTurns(runs, { ours: us('client'), bare: us('fetch') });
    const events = await inTurns(runs, { ours: us('batch'), bare: us('fetch') });
    const both = { yardstick: 'a request by bare fetch', unit: 'us' };
    const work = 'CPU an event through batch() of the client';
    return [
      against({ ...both, work: 'CPU a request by the client', bar: { atMost: 1.3 }, pairs: requests }),
      against({ ...both, work, bar: { atMost: 0.05 }, pairs: events }),
    ];
  },
};
