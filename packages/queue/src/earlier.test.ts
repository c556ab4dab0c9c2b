import { testRedis } from '@roster/testkit';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { createReadEarlier } from './earlier.ts';
import { type Group, groupId, type Packed } from './group.ts';
import { queuesOf } from './names.ts';
import { requestId } from './request-id.ts';

const queues = queuesOf('track', 1);
const secret = 'pepper';

describe('the earlier unfinished requests', () => {
  let server: Awaited<ReturnType<typeof testRedis>>;
  let redis: Redis;
  let queue: Queue;

  beforeAll(async () => {
    server = await testRedis();
    redis = new Redis(server.url, { maxRetriesPerRequest: null });
    queue = new Queue('track-0', { connection: redis, prefix: '{roster:track-0}' });
  });
  beforeEach(() => redis.flushdb());
  afterAll(async () => {
    await queue.close();
    redis.disconnect();
    await server.close();
  });

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
    (await createReadEarlier(redis, queues)(asking, batch))?.map(({ ws, at, body }) => ({ ws, at, body }));

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

  it('are not read when they are too many', async () => {
    for (let n = 1; n <= 65; n++) await add(packed('a', start + n));
    expect(await read([{ ws: 'a', at: start + 100 }])).toBeUndefined();
    expect(await read([{ ws: 'a', at: start + 60 }])).toHaveLength(59);
  });

  it('are not read when they are too large', async () => {
    await add(packed('a', start + 1, 'x'.repeat(2_500_000)));
    expect(await read([{ ws: 'a', at: start + 5 }])).toHaveLength(1);
    await add(packed('a', start + 2, 'x'.repeat(2_500_000)));
    expect(await read([{ ws: 'a', at: start + 5 }])).toBeUndefined();
  });

  it('are not read when the line is longer than what is looked at', async () => {
    for (let n = 0; n < 300; n++) await add(packed('b', start + 1000 - n));
    expect(await read([{ ws: 'a', at: start + 10_000 }])).toBeUndefined();
    expect(await read([{ ws: 'a', at: start }])).toEqual([]);
  });
});
