/** What templates cost the workspaces, in the processes as they are started, with real servers. */
import { createLog, createMetrics, loadConfig, type Running, serviceConfigs } from '@roster/runtime';
import { until, useServers } from '@roster/testkit';
import { createLinks } from './links/link.ts';
import { createPageUrls } from './links/page-urls.ts';
import { startPages } from './pages/start-pages.ts';
import { person, schedule, ws } from './sending/testbed.ts';
import { startSender } from './start-sender.ts';

/** The workspace whose page is opened. */
const opened = 'opened';

let started: Running | undefined;

const servers = useServers(async ({ store }) => {
  for (const id of [ws, opened]) await store.workspaces.put({ id, name: 'Demo' });
  await store.profiles.insertMany([person(1), person(2, { ws: opened })]);
});
const { store } = servers;
afterEach(() => started?.stop());

const secret = 'a secret of this test';

const contextOf = <Name extends 'sender' | 'pages'>(service: Name) => ({
  config: loadConfig(serviceConfigs[service], {
    REDIS_URL: servers.redisUrl,
    MONGO_URL: servers.mongoUrl,
    ROSTER_SECRET: secret,
    LOG_LEVEL: 'silent',
    PORT: '0',
    PAGES_PORT: '0',
  }),
  log: createLog({ service, level: 'silent' }),
  metrics: createMetrics({ service }),
  admin: { port: 0, close: async () => {} },
});

/** Points that were taken from a workspace for work. */
const taken = async (of: string): Promise<number> => {
  const keys = await servers.redis.keys(`roster:limit:${of}:work:*`);
  const counts = await Promise.all(keys.map((key) => servers.redis.get(key)));
  return counts.reduce((sum, count) => sum + Number(count), 0);
};

const costly = '{% for i in (1..4000) %}{% assign a = i %}{% endfor %}Done';

it('the CPU of templates is taken from the workspace that sends them', async () => {
  started = await startSender(contextOf('sender'));
  const one = schedule({ content_card: { type: 'CLASSIC', title: 'News', description: costly } });
  await store.messages.schedules.insertOne(one);
  await until(() => store.messages.schedules.findOne({ _id: one._id, ended: { $exists: true } }));
  expect(await store.messages.sends.findOne({})).toMatchObject({ state: 'sent' });
  await until(async () => (await taken(ws)) > 0);
  expect(await taken('another')).toBe(0);
});

it('a page that a stranger opens is charged to no workspace', async () => {
  await store.preferenceCenters.insertOne({
    ...{
      _id: 'c-1',
      ws: opened,
      name: 'own',
      title: 'Own',
      page: costly,
      confirmation: 'x',
      state: 'active',
    },
    ...{ options: { links: [] }, includes: [], created: 1, edited: 1 },
  });
  started = await startPages(contextOf('pages'));
  const urls = createPageUrls({
    links: createLinks(secret),
    base: `http://127.0.0.1:${started.port}`,
    days: 60,
  });
  for (let n = 0; n < 3; n++) {
    const page = await fetch(urls.page({ ws: opened, center: 'c-1', person: 'p2' }));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Done')]);
  }
  await started.stop();
  started = undefined;
  expect(await servers.redis.keys(`roster:limit:${opened}:*`)).toEqual([]);
});
