/** Hosts of messages whose name servers never answer: they cost nobody else anything. */
import { openChannels } from '@roster/channels';
import { openConnection } from '@roster/queue';
import { openStore } from '@roster/store';
import { patient, textOf, until, useNameServer, usePeer, useServers } from '@roster/testkit';
import type { Hand } from './send-one.ts';
import { crowd, handWith, person, toWebhook, useSending, ws } from './testbed.ts';

const { store, start, add, addAll, ended, tryNow, withSettings } = useSending();

/** Out of reach: nothing here fails because its time is over. */
const limitMs = 600_000;

const got: string[] = [];
const receiver = usePeer(async (request, response) => {
  got.push(await textOf(request));
  response.end();
});
const nameServer = useNameServer(({ name }) =>
  name === 'receiver.example' ? { records: [{ type: 'A', data: '127.0.0.1' }] } : undefined,
);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const opened = (more: object = {}) => {
  const families = () => [4] as const;
  const channels = openChannels({ names: { servers: nameServer.servers, families, limitMs, ...more } });
  closing.push(() => channels.close());
  return channels;
};

beforeEach(async () => {
  got.length = 0;
  await withSettings({ messaging: { webhook_private_hosts: true } });
});

describe('six silent names of one workspace, for thirty people', () => {
  /** What became of the messages of the other workspace that were given back. */
  const begin = async (more: object = {}) => {
    await store.profiles.insertMany([...crowd(30, 'loud'), ...crowd(50)]);
    const givenBack: string[] = [];
    const hand = handWith(store, opened(more));
    const noting: Hand = async (of, ...message) => {
      const answer = await hand(of, ...message);
      if (answer && 'unbegun' in answer) givenBack.push(of);
      return answer;
    };
    start(noting);
    for (let n = 0; n < 6; n++) await add(toWebhook('x', `http://n${n}.silent.example/`), { ws: 'loud' });
    return givenBack;
  };

  const toReceiver = () => toWebhook('ours', receiver.url.replace('127.0.0.1', 'receiver.example'));
  const silentNames = () =>
    new Set(nameServer.asked.map(({ name }) => name).filter((name) => /silent/.test(name)));

  test('hold up no message of another one', async () => {
    await begin();
    await until(() => silentNames().size === 4);
    await addAll(4, toReceiver());
    expect(got).toHaveLength(200);
    expect(await store.messages.sends.countDocuments({ ws, state: 'sent', tries: 1 })).toBe(200);
    expect(
      await store.messages.sends.countDocuments({ ws: 'loud', state: { $nin: ['sending', 'waiting'] } }),
    ).toBe(0);
  });

  test('hold up all of them where a workspace may have every look-up: the control', async () => {
    const givenBack = await begin({ inAll: 6, ofWorkspace: 6 });
    await until(() => silentNames().size === 6);
    await add(toReceiver());
    await until(() => givenBack.filter((of) => of === ws).length >= 50);
    expect(got).toEqual([]);
  });
});

test('a message whose host was not found is tried again, and arrives when it is found', async () => {
  await store.profiles.insertMany([person(1)]);
  nameServer.answer = () => ({ code: 3 });
  start(handWith(store, opened({ faultMs: { name_not_found: 0, name_timeout: 0, name_failed: 0 } })));
  const one = await add(toWebhook('late', `http://new.example:${new URL(receiver.url).port}/`));
  const row = await until(() => store.messages.sends.findOne({ state: 'waiting', tries: 1 }));
  expect(row.reason).toBe('name_not_found');
  nameServer.answer = () => ({ records: [{ type: 'A', data: '127.0.0.1' }] });
  await tryNow();
  expect(await ended(one._id)).toMatchObject({ state: 'sent' });
  expect(got).toEqual(['late']);
});

describe('our own connections', () => {
  const servers = useServers();
  const byName = (url: string): string => url.replace('127.0.0.1', 'localhost');

  test('are opened while a hundred silent names are looked up', async () => {
    const channels = opened();
    const leave = (n: number) => ({ ws: `w${n % 25}`, until: performance.now() + limitMs });
    for (let n = 0; n < 100; n++)
      void channels.send(
        'webhook',
        { allowPrivate: true },
        { id: 'x', to: '', leave: leave(n), content: { url: `http://n${n}.silent.example/` } },
      );
    await until(() => new Set(nameServer.asked.map(({ name }) => name)).size === 100);
    const redis = openConnection('producer', byName(servers.redisUrl));
    closing.push(() => redis.disconnect());
    await until(() => redis.status === 'ready');
    const other = await openStore({
      url: byName(servers.mongoUrl),
      appName: 'test',
      secret: 'x',
      ...patient,
    });
    await other.close();
  });
});
