/** What templates cost the workspaces, in the processes as they are started, with real servers. */
import type { Running } from '@roster/runtime';
import { contextOf, testSecret, until, useServers } from '@roster/testkit';
import request from 'supertest';
import { createLinks } from './links/link.ts';
import { createPageUrls } from './links/page-urls.ts';
import { startPages } from './pages/start-pages.ts';
import { person, schedule, ws } from './sending/testbed.ts';
import { startSender } from './start-sender.ts';
import { aCenter } from './testbed.ts';

/** The workspace whose page is opened. */
const opened = 'opened';

let started: Running | undefined;

const servers = useServers(async ({ store }) => {
  for (const id of [ws, opened]) await store.workspaces.put({ id, name: 'Demo' });
  await store.profiles.insertMany([person(1), person(2, { ws: opened })]);
});
const { store } = servers;
afterEach(() => started?.stop());

/** Points that were taken from a workspace for work. */
const taken = async (of: string): Promise<number> => {
  const keys = await servers.redis.keys(`roster:limit:${of}:work:*`);
  const counts = await Promise.all(keys.map((key) => servers.redis.get(key)));
  return counts.reduce((sum, count) => sum + Number(count), 0);
};

const costly = '{% for i in (1..4000) %}{% assign a = i %}{% endfor %}Done';

it('the CPU of templates is taken from the workspace that sends them', async () => {
  started = await startSender(await contextOf('sender', servers));
  const one = schedule({ content_card: { type: 'CLASSIC', title: 'News', description: costly } });
  await store.messages.schedules.insertOne(one);
  await until(() => store.messages.schedules.findOne({ _id: one._id, ended: { $exists: true } }));
  expect(await store.messages.sends.findOne({})).toMatchObject({ state: 'sent' });
  await until(async () => (await taken(ws)) > 0);
  expect(await taken('another')).toBe(0);
});

it('a page that a stranger opens is charged to no workspace', async () => {
  await store.preferenceCenters.insertOne(aCenter({ ws: opened, page: costly }));
  started = await startPages(await contextOf('pages', servers));
  const urls = createPageUrls({
    links: createLinks(testSecret),
    base: `http://127.0.0.1:${started.port}`,
    days: 60,
  });
  const page = urls.page({ ws: opened, center: 'c-1', person: 'p2' });
  for (let n = 0; n < 3; n++) await request(page).get('').expect(200, /Done/);
  await started.stop();
  started = undefined;
  expect(await servers.redis.keys(`roster:limit:${opened}:*`)).toEqual([]);
});
