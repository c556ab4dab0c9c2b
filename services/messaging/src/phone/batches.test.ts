/**
 * What WhatsApp tells in one call, through the server of the pages: up to 1,000 things, in up to 3 MB. By node:http: a refusal comes before its body
 * was sent, and supertest would call that an error.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { createPhoneUrls, phonePath } from '@roster/channels';
import { aDelivery, aSend, createSignal, noCounts, until } from '@roster/testkit';
import { mostCallBytes, type PageBounds } from '../pages/bounds.ts';
import type { PageServer } from '../pages/server.ts';
import { startTestServer } from '../pages/testbed.ts';
import { createSenderSettings } from '../sending/settings.ts';
import { person, useSending, ws } from '../sending/testbed.ts';
import { createWriteReports } from '../sending/write-report.ts';
import { createPhoneCalls, phoneRoute } from './calls.ts';
import { createPhoneOf } from './phone-of.ts';

const { store, withSettings } = useSending();
const urls = createPhoneUrls('a secret for tests only');
const apps = [{ id: 'shop', name: 'Shop', channels: { whats_app: { provider: { file: 'provider' } } } }];
const provider = JSON.stringify({ preset: 'whatsapp', phone_number_id: '1068', token: 'x' });
beforeEach(() => withSettings({ apps }));

const said: string[] = [];
let server: PageServer;
const start = async (
  bounds: Partial<PageBounds> = {},
  readCredential = async () => provider,
): Promise<void> => {
  said.length = 0;
  const phone = createPhoneCalls({
    urls,
    settingsOf: createSenderSettings(store),
    readCredential,
    answerHelp: async () => {},
    writeReports: createWriteReports(store),
    phoneOf: createPhoneOf(store),
    async say({ phone }) {
      said.push(phone);
      return 'applied';
    },
    onCall() {},
    byNetwork: () => true,
  });
  server = await startTestServer({
    routes: [['all', phoneRoute, phone]],
    isOfProvider: (path) => urls.read(path.slice(phonePath.length)) !== undefined,
    bounds,
  });
};
afterEach(() => server.close());

const address = urls.url('', { ws, app: 'shop', channel: 'whats_app' });
const json = { 'content-type': 'application/json' };

const post = async (
  body: string,
  { path = address, headers = json }: { path?: string; headers?: Record<string, string> } = {},
): Promise<number | undefined> => {
  const all = { ...headers, 'content-length': Buffer.byteLength(body) };
  const call = request({
    port: server.port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: all,
    agent: false,
  });
  // A refusal comes before all of it was taken.
  call.on('error', () => {}).end(body);
  const [response] = await once(call, 'response');
  response.resume();
  return response.statusCode;
};

/** As Meta writes them: 390 bytes for each. */
const status = (n: number, state: string) => ({
  id: `wamid.${String(n).padStart(60, '0')}`,
  status: state,
  timestamp: '1790000000',
  recipient_id: '15550101',
  biz_opaque_callback_data: `${ws}/whats_app/p${n}`,
  conversation: { id: 'c'.repeat(32), origin: { type: 'marketing' } },
  pricing: { billable: true, pricing_model: 'PMP', category: 'marketing', type: 'regular' },
  ...(state === 'failed' && { errors: [{ code: 131_026, title: 'Message undeliverable' }] }),
});
const batch = (value: object): string =>
  JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] });
const statuses = (count: number, stateOf = (_n: number) => 'read') =>
  batch({ statuses: Array.from({ length: count }, (_, n) => status(n, stateOf(n))) });

const sentTo = async (count: number) => {
  const one = aDelivery({ channel: 'whats_app' });
  await store.messages.deliveries.insertOne({ ...one, counts: { ...noCounts, sent: count } });
  await store.messages.sends.insertMany(Array.from({ length: count }, (_, n) => aSend(`p${n}`, one)));
};

it('an address that was made before addresses_since has ended, and its successor goes on', async () => {
  await start();
  const since = new Date();
  const channels = { whats_app: { provider: { file: 'provider' }, addresses_since: since.toISOString() } };
  await withSettings({ apps: [{ id: 'shop', name: 'Shop', channels }] });
  const madeAt = (ms: number) =>
    createPhoneUrls('a secret for tests only', () => ms).url('', { ws, app: 'shop', channel: 'whats_app' });
  expect(await post(statuses(1), { path: madeAt(since.getTime() - 1) })).toBe(410);
  expect(await post(statuses(1), { path: madeAt(since.getTime()) })).toBe(200);
});

it('a report that a person wants no more messages is a STOP of their phone', async () => {
  await start();
  await sentTo(2);
  const stopped = {
    ...status(0, 'failed'),
    recipient_id: '15005550101',
    errors: [{ code: 131_050, title: 'Stopped marketing messages' }],
  };
  expect(await post(batch({ statuses: [stopped, status(1, 'failed')] }))).toBe(200);
  expect(said).toEqual(['+15005550101']);
  expect(await store.messages.sends.countDocuments({ state: 'refused' })).toBe(2);
});

describe('a report without a number that a person wants no more messages', () => {
  const { recipient_id: _, ...failed } = status(1, 'failed');
  const stopped = batch({ statuses: [{ ...failed, errors: [{ code: 131_050, title: 'Stopped' }] }] });
  /** The first phone since the first stamp, the second since now. */
  const now = Date.now() * 1000 + 60_000_000;
  const change = (v: string | null, at: number, more = {}) => ({ c: 'phone' as const, v, at, ...more });
  const phone = (v: string, at: number) => ({ fields: { phone: { v, at } }, phone_key: v });

  it.each([
    ['is a STOP of the phone of its person', 1, phone('+15005550101', 1), ['+15005550101']],
    [
      'is a STOP of the phone that they had when it was sent',
      1,
      {
        ...phone('+15005550102', now),
        contacts: [change('+15005550101', 1), change('+15005550102', now)],
        contacts_at: now,
      },
      ['+15005550101'],
    ],
    [
      'is a STOP of the phone of the person who was merged since, not of the kept one',
      2,
      {
        ...phone('+15005550102', 1),
        absorbed: ['p1'],
        contacts: [
          change('+15005550101', 1, { of: 'p1' }),
          change(null, now, { of: 'p1' }),
          change('+15005550102', 1),
        ],
        contacts_at: now,
      },
      ['+15005550101'],
    ],
    ['says nothing when its person had no phone then', 1, phone('+15005550101', now), []],
    ['says nothing when its person is gone', 2, phone('+15005550101', 1), []],
  ])('%s', async (_name, n, more, phones) => {
    await start();
    await sentTo(2);
    await store.profiles.insertOne(person(n, more));
    expect(await post(stopped)).toBe(200);
    expect(said).toEqual(phones);
    expect(await store.messages.sends.countDocuments({ state: 'refused' })).toBe(1);
  });
});

it('1,000 reports in one call are taken, and those that are news are written', async () => {
  await start();
  await sentTo(1_000);
  const body = statuses(1_000, (n) => (n % 100 === 0 ? 'failed' : 'read'));
  expect(body.length).toBeGreaterThan(300_000);
  expect(await post(body)).toBe(200);
  const refused = await store.messages.sends.find({ state: 'refused' }).toArray();
  expect(refused.map(({ _id }) => _id).toSorted()).toEqual(
    Array.from({ length: 10 }, (_, n) => `${ws}/whats_app/p${n * 100}`).toSorted(),
  );
  const why = { reason: 'not_delivered', words: 'failed: Message undeliverable' };
  expect(refused[0]).toMatchObject(why);
  expect(await store.messages.deliveries.findOne({})).toMatchObject({ counts: { sent: 990, refused: 10 } });
  // Told again, it is no news.
  expect(await post(body)).toBe(200);
  expect(await store.messages.deliveries.findOne({})).toMatchObject({ counts: { sent: 990, refused: 10 } });
});

it('people who answer among many are heard', async () => {
  await start();
  const answers = Array.from({ length: 500 }, (_, n) => ({
    ...{ from: `1500555${String(n).padStart(4, '0')}`, id: `wamid.${n}`, type: 'text' },
    text: {
      body: n === 499 ? 'STOP' : 'Thank you for your message, I will look at it when I am back at home.',
    },
  }));
  expect(await post(batch({ messages: answers }))).toBe(200);
  expect(said).toEqual(['+15005550499']);
});

it.each([
  ['more than 1,000 reports', statuses(1_001)],
  ['more than 3 MB', batch({ statuses: [status(0, 'x'.repeat(mostCallBytes))] })],
  ['more than a parser should get', `[${'{"a":1},'.repeat(350_000)}0]`],
])('%s in one call are refused', async (_what, body) => {
  await start();
  expect(await post(body)).toBe(413);
});

it.each([
  ['at an address that Roster has not signed', { path: `${address}x` }],
  ['at a page', { path: '/preferences/x' }],
  ['as a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
])('as much %s is refused as ever', async (_where, more) => {
  await start();
  expect(await post(statuses(100), more)).toBe(413);
});

it('so many large calls are held at once, until what they tell is written; small ones are not among them', async () => {
  const go = createSignal();
  let asked = 0;
  await start({ calls: { most: 2, ofOne: 2 } }, async () => {
    asked += 1;
    await go.given;
    return provider;
  });
  const written = [post(statuses(100)), post(statuses(100))];
  await until(() => asked === 2);
  expect(await post(statuses(100))).toBe(429);
  const small = post(statuses(2));
  go.give();
  expect(await Promise.all([...written, small])).toEqual([200, 200, 200]);
  expect(await post(statuses(100))).toBe(200);
});
