import { setImmediate } from 'node:timers/promises';
import { inLongRuns, leastWorkMs, until, useRedis } from '@roster/testkit';
import type { Redis } from 'ioredis';
import { createDirectory, type Directory, type DirectoryOptions } from './directory.ts';
import { createKey, type KeyRecord } from './key.ts';
import { publishKey, publishWorkspace, refreshCopy } from './serving-copy.ts';
import { completeSettings } from './settings.ts';
import { connectionsTo } from './test-connections.ts';

const pepper = 'a pepper for tests only';
const demo = completeSettings({ id: 'demo' });
const home = '127.0.0.1';
const aKey = (options = {}) => createKey({ ws: 'demo', name: 'k', permissions: ['*'], pepper, ...options });
const invalid = { ok: false, code: 'API_KEY_INVALID' };
const unavailable = { ok: false, code: 'UNAVAILABLE' };

type Opening = { connections?: ReturnType<typeof connectionsTo> } & Partial<DirectoryOptions>;

describe('the directory', () => {
  const { url, redis } = useRedis();
  let directory: Directory;
  let time: number;
  let subscribers: Redis[];

  const open = async ({ connections = connectionsTo(url), ...options }: Opening = {}) => {
    const opened = createDirectory({ ...connections, pepper, now: () => time, ...options });
    await opened.settled();
    subscribers.push(connections.subscriber);
    return opened;
  };
  const publish = async (...records: KeyRecord[]) => {
    await refreshCopy(redis, async () => ({ keys: records, workspaces: [demo] }));
    await heard();
  };
  /** Until what was published has been heard: a ping comes back behind it. */
  const heard = () => Promise.all(subscribers.map((subscriber) => subscriber.ping()));
  const published = async (options = {}) => {
    const { key, record } = aKey(options);
    await publish(record);
    return { key, record };
  };
  const ask = (key: string) => directory.authenticate(`Bearer ${key}`, home);
  const kill = async () => {
    const clients = String(await redis.client('LIST', 'TYPE', 'PUBSUB'));
    const database = /db=(\d+)/.exec(String(await redis.client('INFO')))?.[1];
    const own = clients.split('\n').filter((line) => line.includes(` db=${database} `));
    for (const line of own) await redis.client('KILL', 'ID', /id=(\d+)/.exec(line)?.[1] ?? '0');
  };

  beforeEach(async () => {
    await redis.flushdb();
    time = Date.parse('2026-11-21T12:00:00Z');
    subscribers = [];
    directory = await open();
  });
  afterEach(() => directory.close());

  it('knows a key, its workspace and its settings', async () => {
    const { key, record } = await published();
    expect(await ask(key)).toEqual({ ok: true, key: record, settings: demo });
  });

  it.each(['bearer', 'BEARER', 'Bearer  '])('takes the scheme word as %j', async (word) => {
    const { key } = await published();
    expect(await directory.authenticate(`${word} ${key}`, home)).toMatchObject({ ok: true });
  });

  it('answers at once, without a promise, when it has been asked before', async () => {
    const { key, record } = await published();
    const first = ask(key);
    expect(first).toBeInstanceOf(Promise);
    await first;
    expect(ask(key)).toMatchObject({ ok: true, key: record });
  });

  it.each([undefined, '', 'Bearer', 'Basic dTpw', 'Bearer nonsense', `Bearer ${'x'.repeat(9000)}`])(
    'refuses what is no key without asking Redis',
    (header) => {
      expect(directory.authenticate(header, home)).toEqual(invalid);
    },
  );

  it('gives the same answer for an unknown key, a wrong secret, an expired and a revoked key', async () => {
    const [good, other] = [aKey(), aKey()];
    const expired = aKey({ expires: '2026-11-21T11:59:59Z' });
    const revoked = aKey();
    await publish(good.record, expired.record);
    await publishKey(redis, { ...revoked.record, revoked: '2026-01-01T00:00:00Z' });
    await publishKey(redis, { ...good.record, hash: other.record.hash });
    await heard();
    for (const { key } of [good, other, revoked]) expect(await ask(key)).toEqual(invalid);
    // For the security log: the caller gets the same.
    const refused = { key: expired.record.id, ws: 'demo', why: 'expired' };
    expect(await directory.authenticate(`Bearer ${expired.key}`, home)).toEqual({ ...invalid, refused });
  });

  it('asks for the address at every request', async () => {
    const { key } = await published({ ips: ['10.0.0.0/8'] });
    const from = (ip: string) => directory.authenticate(`Bearer ${key}`, ip);
    expect(await from('10.1.2.3')).toMatchObject({ ok: true });
    const refused = { key: expect.any(String), ws: 'demo', why: 'ip' };
    expect(from('192.0.2.1')).toEqual({ ok: false, code: 'ACCESS_DENIED', refused });
    expect(from('10.1.2.3')).toMatchObject({ ok: true });
  });

  it('ends a key at its expiry, remembered or not', async () => {
    const { key } = await published({ expires: '2026-11-21T12:00:01Z' });
    expect(await ask(key)).toMatchObject({ ok: true });
    time += 1000;
    const refused = { key: expect.any(String), ws: 'demo', why: 'expired' };
    expect(ask(key)).toEqual({ ...invalid, refused });
  });

  it('hears of a revocation at once', async () => {
    const { key, record } = await published();
    await ask(key);
    await publishKey(redis, { ...record, revoked: new Date().toISOString() });
    await until(async () => !(await ask(key)).ok);
  });

  it('hears of a new key that it had just called unknown', async () => {
    const { key, record } = aKey();
    await publish(aKey().record);
    expect(await ask(key)).toEqual(invalid);
    await publishKey(redis, record);
    await until(async () => (await ask(key)).ok);
  });

  it('hears of changed settings', async () => {
    const { key } = await published();
    await ask(key);
    await publishWorkspace(redis, { ...demo, name: 'Renamed' });
    await until(async () => {
      const access = await ask(key);
      return access.ok && access.settings.name === 'Renamed';
    });
  });

  it('forgets after its time even when no message came', async () => {
    const { key, record } = await published();
    await ask(key);
    await redis.hdel('roster:keys', record.id);
    expect(ask(key)).toMatchObject({ ok: true });
    time += 5001;
    expect(await ask(key)).toEqual(invalid);
  });

  it('asks anew behind the scenes before its time is over, so that no request waits', async () => {
    const { key } = await published();
    const connections = connectionsTo(url);
    const patient = await open({ connections });
    const remembers = () => !(patient.authenticate(`Bearer ${key}`, home) instanceof Promise);
    const asked = async () => {
      await patient.authenticate(`Bearer ${key}`, home);
      return remembers();
    };
    // An answer that crosses the message of its own publication is not kept.
    await until(asked);
    for (let round = 0; round < 5; round++) {
      time += 3000;
      expect(remembers()).toBe(true);
      // Answers come in the order of the questions: after these the one behind the scenes is there.
      for (let question = 0; question < 3; question++) await connections.reader.ping();
      // The last two may come in one piece: then what follows of the one behind the scenes has only begun.
      await setImmediate();
    }
    await patient.close();
  });

  it('remembers nothing while it can not hear', async () => {
    const { key } = await published();
    await ask(key);
    await kill();
    await until(() => !directory.listening());
    expect(ask(key)).toBeInstanceOf(Promise);
    expect(await directory.settled()).toBe(true);
    const again = ask(key);
    expect(again).toBeInstanceOf(Promise);
    await again;
    expect(ask(key)).toMatchObject({ ok: true });
  });

  it('is settled once it can be asked as well', async () => {
    const { subscriber, reader } = connectionsTo(url);
    reader.disconnect();
    const opened = createDirectory({ reader, subscriber, pepper });
    await until(() => opened.listening());
    expect(await opened.settled(0)).toBe(false);
    await reader.connect();
    expect(await opened.settled()).toBe(true);
    await opened.close();
  });

  it('tells "cannot be checked" from "unknown": Redis away', async () => {
    const lost = createDirectory({ ...connectionsTo('redis://127.0.0.1:1'), pepper });
    const started = Date.now();
    expect(await lost.authenticate(`Bearer ${aKey().key}`, home)).toEqual(unavailable);
    inLongRuns(() => expect(Date.now() - started).toBeLessThan(1000));
    await lost.close();
  });

  it('tells "cannot be checked" from "unknown": Redis emptied', async () => {
    expect(await ask(aKey().key)).toEqual(unavailable);
    await refreshCopy(redis, async () => ({ keys: [], workspaces: [] }));
    expect(await ask(aKey().key)).toEqual(invalid);
  });

  it('tells "cannot be checked" from "unknown": the workspace is missing', async () => {
    const { key, record } = aKey();
    await publishKey(redis, record);
    expect(await ask(key)).toEqual(unavailable);
  });

  it('says so in the log, without the key', async () => {
    const lines: string[] = [];
    const { key, record } = aKey();
    await publishKey(redis, record);
    const talking = await open({
      log: { warn: (fields: { err: Error }, text: string) => lines.push(`${text} ${fields.err.message}`) },
    });
    await talking.authenticate(`Bearer ${key}`, home);
    await talking.close();
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(key);
  });

  it('asks few questions in a flood of invented keys', async () => {
    await publish(aKey().record);
    const monitor = await redis.monitor();
    let [questions, isOver] = [0, false];
    monitor.on(
      'monitor',
      (_time: string, [command, hash, field]: string[], _source: string, database: string) => {
        if (command !== 'hmget' || hash !== 'roster:keys' || database !== String(redis.options.db)) return;
        if (field === 'the last') isOver = true;
        else questions += 1;
      },
    );
    // Made beforehand: it blocks the event loop for a while, in which no answer of Redis would be read.
    const invented = Array.from({ length: 5000 }, () => `Bearer ${aKey().key}`);
    const answers = await Promise.all(invented.map((key) => directory.authenticate(key, home)));
    // A monitor tells the questions in their order.
    await redis.hmget('roster:keys', 'the last');
    await until(() => isOver);
    monitor.disconnect();
    expect(answers.every((answer) => !answer.ok && answer.code === 'API_KEY_INVALID')).toBe(true);
    expect(questions).toBeGreaterThan(0);
    expect(questions).toBeLessThan(60);
  });

  it('remembers a bounded number of keys, good and wrong', async () => {
    const small = await open({ most: 2, mostWrong: 2 });
    const keys = Array.from({ length: 4 }, () => aKey());
    await publish(...keys.map(({ record }) => record));
    for (const { key } of keys) await small.authenticate(`Bearer ${key}`, home);
    const [first, , , last] = keys;
    expect(small.authenticate(`Bearer ${last?.key}`, home)).toMatchObject({ ok: true });
    expect(small.authenticate(`Bearer ${first?.key}`, home)).toBeInstanceOf(Promise);
    const wrong = Array.from({ length: 3 }, () => aKey().key);
    for (const key of wrong) await small.authenticate(`Bearer ${key}`, home);
    expect(small.authenticate(`Bearer ${wrong[2]}`, home)).toEqual(invalid);
    const asked = small.authenticate(`Bearer ${wrong[0]}`, home);
    expect(asked).toBeInstanceOf(Promise);
    await asked;
    await small.close();
  });

  it('costs less than two microseconds when it remembers', async () => {
    const { key } = await published();
    const real = await open({ now: Date.now });
    await real.authenticate(`Bearer ${key}`, home);
    const headers = Array.from({ length: 1000 }, () => Buffer.from(`Bearer ${key}`).toString('latin1'));
    const ms = leastWorkMs(5, () => {
      for (let round = 0; round < 20; round++) for (const header of headers) real.authenticate(header, home);
    });
    await real.close();
    inLongRuns(() => expect((ms * 1000) / (20 * headers.length)).toBeLessThan(2));
  });
});
