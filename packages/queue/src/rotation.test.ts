/** Two processes of a fleet that is restarted step by step, on a real Redis: what one wrote is the other's too. */

import type { Secrets } from '@roster/secrets';
import { until, useRedis } from '@roster/testkit';
import { nameDigest, namesOf } from './order/deletions.ts';
import { createProducer, type Producer } from './produce/producer.ts';
import { idsOfStamp, requestId, stampOfRequestId } from './request-id.ts';
import { aSubmission } from './testbed.ts';

const [former, next] = ['the secret of before', 'the secret that comes'];
const also = (secret: string) => [{ secret, until: new Date('2000-01-01') }];
const steps = {
  before: former,
  first: { makes: former, others: also(next) },
  second: { makes: next, others: also(former) },
  after: next,
} satisfies Record<string, Secrets>;
type Step = keyof typeof steps;

const neighbours: [Step, Step][] = [
  ['before', 'first'],
  ['first', 'second'],
  ['second', 'first'],
  ['second', 'after'],
  ['after', 'second'],
];

describe('the id of a request', () => {
  const at = 1_795_000_000_000_000;

  it.each(neighbours)('that a process %s made is known to one %s', (one, other) => {
    expect(stampOfRequestId(steps[other], 'w', requestId(steps[one], 'w', at))).toBe(at);
    expect(stampOfRequestId(steps[other], 'v', requestId(steps[one], 'w', at))).toBeUndefined();
  });

  it('of before is unknown where the other secret is not set', () => {
    expect(stampOfRequestId(next, 'w', requestId(former, 'w', at))).toBeUndefined();
  });

  it('is one of those that its stamp may have', () => {
    expect(idsOfStamp(steps.second, 'w', at)).toEqual([requestId(next, 'w', at), requestId(former, 'w', at)]);
  });
});

it('names of people are noted under the secret that makes', () => {
  expect(namesOf(steps.first, ['w:e:ada'])).toEqual([nameDigest(former, 'w:e:ada')]);
  expect(namesOf(steps.second, ['w:e:ada'])).toEqual([nameDigest(next, 'w:e:ada')]);
});

describe('a request that is repeated under its idempotency key', () => {
  const { url, redis } = useRedis();
  const producers: Producer[] = [];

  const open = async (step: Step): Promise<Producer> => {
    const settings = { url, secret: steps[step], partitions: 1, waitReplicas: 0, idempotencyHours: 1 };
    const producer = createProducer(settings);
    producers.push(producer);
    await until(() => producer.redis.status === 'ready');
    return producer;
  };

  const commit = async (producer: Producer) => {
    const committed = await producer.commit(aSubmission({ idempotency: { key: 'k', fingerprint: 'f' } }));
    if (committed.state === 'full') throw new Error('full');
    return committed;
  };

  afterEach(async () => {
    for (const producer of producers.splice(0)) await producer.close();
    await redis.flushdb();
  });

  it.each(neighbours)('first to a process %s, then to one %s, keeps its id', async (one, other) => {
    const first = await commit(await open(one));
    const again = await commit(await open(other));
    expect(again).toMatchObject({ state: 'queued', id: first.id });
    if (again.state !== 'queued') throw new Error(again.state);
    again.remember({ status: 201, body: 'the answer' });
    const third = async () => commit(producers[0] ?? (await open(one)));
    await until(async () => (await third()).state === 'replayed');
    expect(await third()).toMatchObject({ id: first.id, answer: { body: 'the answer' } });
  });

  it('to both at the same moment is one request', async () => {
    const [here, there] = [await open('first'), await open('second')];
    const all = await Promise.all([commit(here), commit(there), commit(there), commit(here)]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });
});
