import { until, useRedis } from '@roster/testkit';
import { groupId, isBackground } from '../group.ts';
import { profileQueues } from '../names.ts';
import { createProducer, type Producer, type Submission } from '../produce/producer.ts';
import { requestId } from '../request-id.ts';
import { aSubmission } from '../testbed.ts';
import { callersWait, readUnfinished } from './fence.ts';
import { createPostponer } from './postponed.ts';

const queues = profileQueues(1);
const heavyTrack = queues.filter(({ heavy }) => heavy).slice(0, 1);

/** More than littleWork, so that the workspace goes by the heavy lane. */
const submission = (by: string): Submission =>
  aSubmission({ content: { by }, body: Buffer.from('{"events":[]}'), entries: 200 });

describe('requests of callers', () => {
  const producers: Producer[] = [];
  const { url, redis } = useRedis(() => Promise.all(producers.map((one) => one.close())));
  beforeEach(() => redis.flushdb());

  const open = async (background: boolean): Promise<Producer> => {
    const options = {
      url,
      secret: 'pepper',
      partitions: 1,
      waitReplicas: 0,
      idempotencyHours: 1,
    };
    const producer = createProducer({ ...options, background });
    producers.push(producer);
    await until(() => producer.redis.status === 'ready');
    return producer;
  };

  const idsInHeavyLane = async (): Promise<string[]> => {
    const found = await Promise.all(heavyTrack.map((queue) => readUnfinished(redis, queue)));
    return found.flatMap(({ front, active }) => [...front, ...active]);
  };

  it('are told from those of syncs, in the heavy lane too', async () => {
    const [background, usual] = [await open(true), await open(false)];
    expect(await callersWait(redis, queues)).toBe(false);
    await background.commit(submission('sync:1'));
    expect(await idsInHeavyLane()).toHaveLength(1);
    expect(await callersWait(redis, queues)).toBe(false);
    await usual.commit(submission('key'));
    expect(await idsInHeavyLane()).toHaveLength(2);
    expect(await callersWait(redis, queues)).toBe(true);
  });

  it.each([
    ['sync:1', true],
    ['key', false],
  ])('that are postponed stay what they are: %s', async (by, isOfSync) => {
    const [queue] = heavyTrack;
    if (!queue) throw new Error('no heavy lane');
    const { postpone, close } = createPostponer(redis);
    const id = requestId('pepper', 'w', 1_700_000_000_000_000);
    await postpone([{ queue, packed: [id, 'w', 'users.track', {}, { by }], tries: 0, entries: 1, bytes: 1 }]);
    expect((await idsInHeavyLane()).map(isBackground)).toEqual([isOfSync]);
    expect(await callersWait(redis, queues)).toBe(!isOfSync);
    await close();
  });

  it('are told by their suffix, whatever the tag of a workspace looks like', () => {
    expect(isBackground('g1abc-0123456789ab.ab-sXYZ1')).toBe(false);
    expect(isBackground(groupId(1_700_000_000_000_000, 's0123456789ab', 'w'))).toBe(true);
  });
});
