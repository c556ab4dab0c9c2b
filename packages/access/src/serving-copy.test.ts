import { until, useRedis } from '@roster/testkit';
import { Redis } from 'ioredis';
import { createKey } from './key.ts';
import { publishKey, publishWorkspace, refreshCopy } from './serving-copy.ts';
import { completeSettings } from './settings.ts';

const aRecord = (name = 'backend') => createKey({ ws: 'demo', name, permissions: ['*'], pepper: 'p' }).record;
const demo = completeSettings({ id: 'demo' });

describe('the serving copy', () => {
  const { url, redis } = useRedis(() => listener.disconnect());
  let listener: Redis;
  let heard: string[];

  beforeAll(async () => {
    listener = new Redis(url);
    listener.on('message', (_channel, message) => heard.push(message));
    await listener.subscribe('roster:access');
  });
  beforeEach(async () => {
    await redis.flushdb();
    heard = [];
  });

  const keys = async () => Object.keys(await redis.hgetall('roster:keys')).sort();
  /** That many of these messages come, and no more until then. */
  const hear = async (count: number, ...messages: string[]) => {
    const wanted = () => heard.filter((one) => messages.includes(one));
    await until(() => wanted().length >= count);
    expect(wanted()).toHaveLength(count);
  };

  it('gets a key, and announces it', async () => {
    const record = aRecord();
    await publishKey(redis, record);
    expect(JSON.parse((await redis.hget('roster:keys', record.id)) ?? '')).toEqual(record);
    await hear(1, `key:${record.id}`);
  });

  it('loses a key that is revoked, and announces it', async () => {
    const record = aRecord();
    await publishKey(redis, record);
    await publishKey(redis, { ...record, revoked: '2026-01-01T00:00:00Z' });
    expect(await keys()).toEqual([]);
    await hear(2, `key:${record.id}`);
  });

  it('gets the settings of a workspace, and announces it', async () => {
    await publishWorkspace(redis, demo);
    expect(JSON.parse((await redis.hget('roster:workspaces', 'demo')) ?? '')).toEqual(demo);
    await hear(1, 'workspace:demo');
  });

  it('is made equal to the truth: new, changed and gone', async () => {
    const [kept, gone, fresh] = [aRecord('kept'), aRecord('gone'), aRecord('fresh')];
    await refreshCopy(redis, async () => ({ keys: [kept, gone], workspaces: [demo] }));
    heard = [];
    const changes = await refreshCopy(redis, async () => ({
      keys: [{ ...kept, name: 'renamed' }, fresh],
      workspaces: [demo],
    }));
    expect(changes).toEqual({ keys: 3, workspaces: 0 });
    expect(await keys()).toEqual([kept.id, fresh.id].sort());
  });

  it('is left alone, and nothing is announced, when nothing has changed', async () => {
    const everything = { keys: [aRecord()], workspaces: [demo] };
    await refreshCopy(redis, async () => everything);
    await hear(2, 'workspace:demo', `key:${everything.keys[0]?.id}`);
    heard = [];
    expect(await refreshCopy(redis, async () => everything)).toEqual({ keys: 0, workspaces: 0 });
    await redis.publish('roster:access', 'end');
    await hear(1, 'end');
    expect(heard).toEqual(['end']);
  });

  it('heals after a flush', async () => {
    const record = aRecord();
    const truth = async () => ({ keys: [record], workspaces: [demo] });
    await refreshCopy(redis, truth);
    await redis.flushdb();
    expect(await refreshCopy(redis, truth)).toEqual({ keys: 1, workspaces: 1 });
    expect(await keys()).toEqual([record.id]);
  });

  it('does not bring back a key that was revoked while the truth was being read', async () => {
    const record = aRecord();
    await publishKey(redis, record);
    const revoked = { ...record, revoked: '2026-01-01T00:00:00Z' };
    let stored = record;
    await refreshCopy(redis, async () => {
      const reading = { keys: [stored], workspaces: [demo] };
      if (stored === record) {
        stored = revoked;
        await publishKey(redis, revoked);
      }
      return reading;
    });
    expect(await keys()).toEqual([]);
  });

  it('does not lose a key that was made while the truth was being read', async () => {
    const made = aRecord();
    const stored: (typeof made)[] = [];
    await refreshCopy(redis, async () => {
      const reading = { keys: [...stored], workspaces: [demo] };
      if (stored.length === 0) {
        stored.push(made);
        await publishKey(redis, made);
      }
      return reading;
    });
    expect(await keys()).toEqual([made.id]);
  });

  it('gives up, rather than turn for ever, when it never stands still', async () => {
    const restless = async () => {
      await publishKey(redis, aRecord());
      return { keys: [], workspaces: [] };
    };
    await expect(refreshCopy(redis, restless, 3)).rejects.toThrow('kept changing');
  });
});
