import { completeSettings, createKey, type Everything } from '@roster/access';
import { createLog, createMetrics } from '@roster/runtime';
import { until, useRedis } from '@roster/testkit';
import { keepHealed } from './heal.ts';

const { record } = createKey({ ws: 'demo', name: 'k', permissions: ['*'], pepper: 'p' });
const everything: Everything = { keys: [record], workspaces: [completeSettings({ id: 'demo' })] };

describe('healing of the serving copy', () => {
  const { redis } = useRedis();
  const log = createLog({ service: 'monitor', level: 'silent' });
  const begin = (readTruth: () => Promise<Everything>, everyMs = 60_000) =>
    keepHealed({ redis, readTruth, log, metrics: createMetrics({ service: 'monitor' }), everyMs });
  const isThere = async () => (await redis.hexists('roster:keys', record.id)) === 1;

  beforeEach(() => redis.flushdb());

  it('happens again and again', async () => {
    const healing = begin(async () => everything, 20);
    await until(isThere);
    await redis.flushdb();
    await until(isThere);
    await healing.stop();
  });

  it('happens when Redis comes back', async () => {
    const healing = begin(async () => everything);
    redis.disconnect(true);
    await until(() => isThere().catch(() => false));
    await healing.stop();
  });

  it('waits for a truth that is away', async () => {
    let away = true;
    const healing = begin(async () => {
      if (away) throw new Error('MongoDB is away');
      return everything;
    });
    expect(await healing.now()).toBe(false);
    away = false;
    expect(await healing.now()).toBe(true);
    expect(await isThere()).toBe(true);
    await healing.stop();
  });

  it('does not overtake itself', async () => {
    let readings = 0;
    const healing = begin(async () => {
      readings += 1;
      return everything;
    });
    await Promise.all([healing.now(), healing.now(), healing.now()]);
    expect(readings).toBe(1);
    await healing.stop();
  });
});
