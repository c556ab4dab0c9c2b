import { exportableFields } from '@roster/contract';
import { identityKey, type ProfileChange, randomBucket } from '@roster/profile';
import { decimal, type Store } from '@roster/store';
import { anEvent, aPurchase, serviceId, useStore } from '@roster/testkit';
import { viewOf } from './fields.ts';
import { aPerson, at, createTestbed } from './testbed.ts';

const test = createTestbed(useStore());

const field = (name: string, value: unknown) => ({ kind: 'field', name, value }) as ProfileChange;
const list = (name: string, v: object) => ({ kind: 'list', name, items: [{ k: 'k', v }] }) as ProfileChange;
const moment = '2025-01-31T12:00:00.000Z';
const stampTime = '2025-11-13T02:13:20.000Z';

/** What is stored under its own name, as it is shown. */
const plain = {
  attributed_ad: 'ad',
  attributed_adgroup: 'adgroup',
  attributed_campaign: 'campaign',
  attributed_source: 'source',
  country: 'GB',
  date_of_first_session: moment,
  date_of_last_session: moment,
  dob: '1815-12-10',
  email: 'Ada@example.com',
  email_click_tracking_disabled: false,
  email_open_tracking_disabled: true,
  facebook: { id: '7', likes: ['engines'] },
  first_name: 'Ada',
  gender: 'F',
  home_city: 'London',
  image_url: 'https://example.com/ada.png',
  language: 'en',
  last_name: 'Lovelace',
  marked_email_as_spam_at: moment,
  phone: '+15005550006',
  push_opted_in_at: moment,
  time_zone: 'Europe/London',
  twitter: { id: 7, screen_name: 'ada' },
  uninstalled_at: moment,
};

const lists = {
  apps: { name: 'Shop', platform: 'iOS', version: '1', sessions: '3', first_used: moment, last_used: moment },
  campaigns_received: {
    name: 'Spring',
    last_received: moment,
    engaged: { opened_email: true },
    converted: false,
    multiple_converted: { bought: true },
    api_campaign_id: 'c-1',
    variation_name: 'A',
    variation_api_id: 'v-1',
    in_control: false,
  },
  canvases_received: {
    name: 'Welcome',
    api_canvas_id: 'v-1',
    last_received_message: moment,
    last_entered: moment,
    variation_name: 'A',
    in_control: false,
    last_exited: moment,
    steps_received: [{ name: 'One', api_canvas_step_id: 's-1', last_received: moment }],
  },
  cards_clicked: { name: 'Card' },
  devices: { device_id: 'd-1', model: 'Mill', os: '1', carrier: 'c', idfv: 'v', ad_tracking_enabled: true },
};

const token = { token: 't', platform: 'web', device_id: 'd-1', notifications_enabled: true };

const ada = aPerson(
  { _id: serviceId('00a1'), external_id: 'ada', aliases: [{ label: 'crm', name: '7' }], absorbed: ['00z9'] },
  [
    ...Object.entries(plain).map(([name, value]) => field(name, value)),
    ...Object.entries(lists).map(([name, v]) => list(name, v)),
    list('push_tokens', { ...token, app_id: 'shop' }),
    field('current_location', { longitude: -0.1, latitude: 51.5 }),
    { kind: 'consent', k: 'push', v: 'subscribed' },
    { kind: 'consent', k: 'email', v: 'opted_in' },
    { kind: 'step', name: 'visits', step: { inc: 2 } },
    { kind: 'set', name: '__proto__', value: { of: ['the engine'] } },
  ],
);

const time = new Date(at / 1000 - 1000);
const happened = time.toISOString();
const counted = (name: string) => [{ name, first: happened, last: happened, count: 1 }];

beforeAll(async () => {
  await test.add(ada, aPerson({ _id: '00b2', external_id: 'bare' }));
  await test.store.contacts.insertOne({
    _id: identityKey('demo', { by: 'email', email: 'ada@example.com' }),
    ws: 'demo',
    consents: [
      { k: 'email', v: 'unsubscribed', at: at + 1_000_000 },
      { k: 'group:news', v: 'subscribed', at: at + 2_000_000 },
      { k: 'push', v: 'unsubscribed', at: at - 1 },
    ],
  });
  await test.store.events.insert([anEvent(ada._id, { name: 'calculated', at, time })]);
  const bought = { product_id: 'engine', revenue: decimal('12.10') };
  await test.store.purchases.insert([aPurchase(ada._id, { ...bought, at, time })]);
});

const whole: Record<string, unknown> = {
  ...plain,
  ...Object.fromEntries(Object.entries(lists).map(([name, v]) => [name, [v]])),
  external_id: 'ada',
  service_id: serviceId('00a1'),
  user_aliases: [{ alias_name: '7', alias_label: 'crm' }],
  created_at: stampTime,
  custom_attributes: JSON.parse('{"visits": 2, "__proto__": {"of": ["the engine"]}}'),
  custom_events: counted('calculated'),
  purchases: counted('engine'),
  total_revenue: 12.1,
  last_coordinates: [-0.1, 51.5],
  push_tokens: [{ ...token, app: 'shop' }],
  random_bucket: randomBucket(serviceId('00a1')),
  push_subscribe: 'subscribed',
  email_subscribe: 'unsubscribed',
  subscription_groups: [{ id: 'news', state: 'subscribed', since: '2025-11-13T02:13:22.000Z' }],
};

const exported = async (external_id: string, ...fields_to_export: string[]) =>
  (await test.ask({ external_ids: [external_id], fields_to_export })).users[0];

describe('the exported user', () => {
  it('has every field', async () => {
    expect(Object.keys(whole).toSorted()).toEqual([...exportableFields].toSorted());
    expect(await exported('ada', ...exportableFields)).toEqual(whole);
  });

  it.each(exportableFields)('has %s alone, when nothing else is asked for', async (name) => {
    expect(await exported('ada', name)).toEqual({ [name]: whole[name] });
  });

  it('has empty lists and objects and no revenue for a person without data, and no other field', async () => {
    expect(await exported('bare', ...exportableFields)).toEqual({
      external_id: 'bare',
      service_id: '00b2',
      created_at: stampTime,
      random_bucket: randomBucket('00b2'),
      custom_attributes: {},
      total_revenue: 0,
      ...Object.fromEntries(
        [...Object.keys(lists), 'push_tokens', 'user_aliases', 'custom_events', 'purchases'].map((name) => [
          name,
          [],
        ]),
      ),
      subscription_groups: [],
    });
  });

  it('has a field once that is asked for twice, and nothing when nothing is asked for', async () => {
    expect(await exported('ada', 'email', 'email')).toEqual({ email: 'Ada@example.com' });
    expect(await exported('ada')).toEqual({});
  });
});

describe('what is read', () => {
  const closed = (name: string): never => {
    throw new Error(`${name} were read`);
  };
  const untouched = (...names: ('contactConsents' | 'events' | 'purchases')[]): Store => {
    const one = (name: string) => new Proxy({}, { get: () => closed(name) });
    return { ...test.store, ...Object.fromEntries(names.map((name) => [name, one(name)])) };
  };
  const reading = (from: Store, ...fields_to_export: string[]) =>
    test.ask({ external_ids: ['ada'], fields_to_export }, { from });

  it('for an email is the email: no other part of the profile, no event, no consent', async () => {
    expect(viewOf(['email'])).toMatchObject({
      projection: { _id: 1, 'fields.email': 1 },
      needs: new Set(),
    });
    const { users } = await reading(untouched('contactConsents', 'events', 'purchases'), 'email');
    expect(users).toEqual([{ email: 'Ada@example.com' }]);
  });

  it.each([
    ['custom_events', ['contactConsents', 'purchases']],
    ['purchases', ['contactConsents', 'events']],
    ['total_revenue', ['contactConsents', 'events']],
    ['email_subscribe', ['events', 'purchases']],
    ['subscription_groups', ['events', 'purchases']],
  ] as const)('for %s is nothing of the others', async (name, others) => {
    expect((await reading(untouched(...others), name)).users).toEqual([{ [name]: whole[name] }]);
  });

  it('would be noticed', async () => {
    await expect(reading(untouched('events'), 'custom_events')).rejects.toThrow('events were read');
    await expect(reading(untouched('contactConsents'), 'email_subscribe')).rejects.toThrow(
      'contactConsents were read',
    );
  });
});
