/** The process that sends, as it is started, with real servers. */
import { openConnection } from '@roster/queue';
import { createLog, createMetrics, loadConfig, type Running, serviceConfigs } from '@roster/runtime';
import { type TestServer, type TestStore, testRedis, testStore, until } from '@roster/testkit';
import { person, schedule, ws } from './sending/testbed.ts';
import { startSender } from './start-sender.ts';

let [server, test, redis]: [TestServer?, TestStore?, ReturnType<typeof openConnection>?] = [];
let sender: Running | undefined;

beforeAll(async () => {
  server = await testRedis();
  test = await testStore();
  redis = openConnection('patient', server.url);
  const service = 'sender';
  const config = loadConfig(serviceConfigs[service], {
    REDIS_URL: server.url,
    MONGO_URL: test.url,
    ROSTER_SECRET: 'a secret of this test',
    LOG_LEVEL: 'silent',
  });
  sender = await startSender({
    config,
    log: createLog({ service, level: 'silent' }),
    metrics: createMetrics({ service }),
    admin: { port: 0, close: async () => {} },
  });
});
afterAll(async () => {
  await sender?.stop();
  redis?.disconnect();
  await test?.close();
  await server?.close();
});

/** Points that were taken from a workspace for work. */
const taken = async (of: string): Promise<number> => {
  const keys = (await redis?.keys(`roster:limit:${of}:work:*`)) ?? [];
  const counts = await Promise.all(keys.map((key) => redis?.get(key)));
  return counts.reduce((sum, count) => sum + Number(count), 0);
};

it('takes the CPU of templates from the workspace that sends them', async () => {
  const { store } = test as TestStore;
  await store.workspaces.put({ id: ws, name: 'Demo' });
  await store.profiles.insertOne(person(1));
  const description = '{% for i in (1..4000) %}{% assign a = i %}{% endfor %}Done';
  const one = schedule({ content_card: { type: 'CLASSIC', title: 'News', description } });
  await store.messages.schedules.insertOne(one);
  await until(() => store.messages.schedules.findOne({ _id: one._id, ended: { $exists: true } }));
  expect(await store.messages.sends.findOne({})).toMatchObject({ state: 'sent' });
  await until(async () => (await taken(ws)) > 0);
  expect(await taken('another')).toBe(0);
});
