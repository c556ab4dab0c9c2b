import { useRedis } from '@roster/testkit';
import { Queue } from 'bullmq';
import { type Group, groupId, type Packed } from '../group.ts';
import { queuesOf } from '../names.ts';
import { requestId } from '../request-id.ts';
import { createReadEarlier } from './earlier.ts';

const queues = queuesOf('track', 1);
const secret = 'pepper';

describe('the earlier unfinished requests', () => {
  const { redis } = useRedis(() => queue.close());
  const queue = new Queue('track-0', { connection: redis, prefix: '{roster:track-0}' });
  beforeEach(() => redis.flushdb());

  const packed = (ws: string, at: number, body: unknown = { at }): Packed => [
    requestId(secret, ws, at),
    ws,
    'users.track',
    body,
  ];

  const add = async (...requests: Packed[]): Promise<void> => {
    const group: Group = { v: 1, entries: 1, bytes: 1, requests };
    const stamps = requests.map(([id]) => Number.parseInt(id.slice(1, id.indexOf('-')), 36));
    await queue.add('users.track', group, {
      jobId: groupId(Math.min(...stamps), String(Math.random()), requests[0]?.[1]),
    });
  };

  const read = async (asking: { ws: string; at: number }[], batch = new Set<string>()) =>
    readAll(asking, batch).then(({ requests }) => requests.map(({ ws, at, body }) => ({ ws, at, body })));

  const readAll = (asking: { ws: string; at: number }[], batch = new Set<string>()) =>
    createReadEarlier(redis, queues)(asking, batch);

  const start = 1_700_000_000_000_000;

  it('are those with lower stamps in the same workspace', async () => {
    await add(packed('a', start + 1), packed('a', start + 9));
    await add(packed('b', start + 2));
    await add(packed('a', start + 7));
    expect(await read([{ ws: 'a', at: start + 5 }])).toEqual([
      { ws: 'a', at: start + 1, body: { at: start + 1 } },
    ]);
    expect(await read([{ ws: 'c', at: start + 5 }])).toEqual([]);
  });

  it('are not those of the batch', async () => {
    const own = packed('a', start + 1);
    await add(own, packed('a', start + 2));
    expect(await read([{ ws: 'a', at: start + 5 }], new Set([own[0]]))).toHaveLength(1);
  });

  const stampsOf = (requests: readonly { at: number }[]) => requests.map(({ at }) => at - start);
  const firstStamps = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

  it('are the oldest of too many', async () => {
    for (let n = 70; n >= 1; n--) await add(packed('a', start + n));
    const { requests, upTo } = await readAll([{ ws: 'a', at: start + 100 }]);
    expect([stampsOf(requests), upTo]).toEqual([firstStamps(64), start + 65]);
    expect((await readAll([{ ws: 'a', at: start + 60 }])).upTo).toBe(Number.POSITIVE_INFINITY);
  });

  it('are the oldest of those that are too large together', async () => {
    for (const n of [1, 2, 3]) await add(packed('a', start + n, 'x'.repeat(1_500_000)));
    const { requests, upTo } = await readAll([{ ws: 'a', at: start + 5 }]);
    expect([stampsOf(requests), upTo]).toEqual([[1, 2], start + 3]);
  });

  it('end where the line is longer than what is looked at', async () => {
    for (let n = 1; n <= 300; n++) await add(packed('b', start + n));
    expect(await readAll([{ ws: 'a', at: start + 10_000 }])).toEqual({ requests: [], upTo: start + 256 });
  });
});
