import { identityKey } from '@roster/profile';
import { aDelivery, aProfile, aSend, later, noCounts, storeProfiles } from '@roster/testkit';
import { liquidTagOf } from '../content/reads.ts';
import { createFire } from '../sending/fire.ts';
import { createSenderSettings } from '../sending/settings.ts';
import { toWebhook } from '../sending/testbed.ts';
import { refused } from '../testbed.ts';
import { recipientsOf } from './stored.ts';
import { inAnHour, useSchedules } from './testbed.ts';

const { store, test, now, create, change, remove, read, broadcasts } = useSchedules();

const stored = () => store.messages.schedules.findOne({});
const idOf = async (answer: ReturnType<typeof create>): Promise<string> =>
  String((await answer).body.schedule_id);

it('a schedule is stored as it was sent, and read back', async () => {
  const time = inAnHour();
  const { status, body } = await create({ schedule: { time } });
  expect(status).toBe(201);
  expect(body.dispatch_id).toMatch(/^[0-9a-f]{32}$/);
  expect(await stored()).toMatchObject({
    ...{ state: 'waiting', due: new Date(time), by: 'key1' },
    listed: [store.tombstones.digestOf(identityKey('demo', { by: 'external_id', id: 'ada' }))],
  });
  expect((await read(body.schedule_id)).body).toMatchObject({
    dispatch_id: body.dispatch_id,
    state: 'waiting',
    next_send_time: time,
    schedule: { time },
    recipients: { external_user_ids: ['ada'] },
    messages: toWebhook(),
    results: {},
  });
});

it('what is sent now is due at once', async () => {
  const at = now();
  const sending = { external_user_ids: ['ada'], messages: toWebhook() };
  const answer = await test.send('messages.send', sending, { at });
  const due = new Date(Math.floor(at / 1000));
  const found = await stored();
  expect(answer).toEqual({ status: 201, body: { dispatch_id: found?.dispatch, message: 'success' } });
  expect(found).toMatchObject({ state: 'waiting', due, time: due.toISOString() });
  expect(JSON.parse(found?.recipients ?? '')).toEqual({ external_user_ids: ['ada'] });
});

const mail = { app_id: 'shop', from: 'a@example.com' };
const costlyCss = `<style>${Array.from({ length: 1300 }, (_, at) => `b:not(.x${at}) { color: red }`).join('')}</style>`;

it('takes an email whose HTML is known only when it is written', async () => {
  const body = `{% if x %}${'<div>'.repeat(1000)}{% endif %}`;
  expect(await create({ messages: { email: { ...mail, body } } })).toMatchObject({ status: 201 });
});

it.each([
  [{ schedule: { time: '2020-01-01T00:00:00Z' } }, 'Bad Request', 'schedule.time is in the past'],
  [
    { schedule: { time: '2020-01-01T00:00:00', in_local_time: true } },
    'Bad Request',
    'schedule.time has already passed in every time zone',
  ],
  [{ schedule: { time: '2999-01-01T00:00:00Z' } }, 'Bad Request', 'schedule.time is more than 20 years away'],
  [
    { schedule: { time: '2036-01-01T00:00:00Z', in_local_time: true } },
    'Bad Request',
    'schedule.time must be like 2026-12-31T09:00:00, without a zone, with in_local_time or at_optimal_time',
  ],
  [{ schedule: { time: 'soon' } }, 'Bad Request', 'schedule.time must be a time in ISO 8601'],
  [
    { campaign_id: 'sale' },
    'Message Variant Unspecified',
    'messages.webhook.message_variation_id is required with campaign_id',
  ],
])(
  '%j is refused in the sentence that clients know, and the fault says why',
  async (more, message, reason) => {
    expect(await create(more)).toEqual(refused(message, { faults: [{ reason }] }));
    expect(await stored()).toBeNull();
  },
);

it.each([
  [{ external_user_ids: [] }, 'No Recipients'],
  [{ external_user_ids: undefined, broadcast: true }, 'No Recipients'],
  [{ messages: {} }, 'No message to send'],
  [{ messages: undefined }, 'No message to send'],
  [{ broadcast: true }, 'broadcast must not be true when users are listed'],
  [{ external_user_ids: [], segment_id: 'x' }, 'broadcast must be true when no users are listed'],
  [{ segment_id: 'x' }, 'The segment is not one of the workspace'],
  [
    { audience: { AND: [{ custom_attribute: { custom_attribute_name: 'x', comparison: 'like' } }] } },
    expect.stringMatching(/^audience\.AND\[0\]\.custom_attribute\.comparison must be one of /),
  ],
  [{ messages: toWebhook('{{ x') }, expect.stringMatching(/^messages\.webhook\.body, line 1, column 1: /)],
  [
    { messages: toWebhook(liquidTagOf('gone')) },
    'A message includes a Content Block that does not exist: gone',
  ],
  [
    { messages: toWebhook(`{{preference_center.\${nws}}}`) },
    'A message links to a Preference Center that does not exist: nws. The workspace has: default',
  ],
  [
    { messages: { email: { ...mail, body: '<div>'.repeat(1000) } } },
    'messages.email: the HTML has tags more than 256 deep',
  ],
  [
    {
      messages: {
        email: { ...mail, body: `${costlyCss}${'<b>x</b>'.repeat(2000)}`, should_inline_css: true },
      },
    },
    'messages.email: the HTML and its styles take too much work: send fewer elements or rules',
  ],
])('%j is refused', async (more, message) => {
  expect(await create(more)).toEqual(refused(message));
  expect(await stored()).toBeNull();
});

it('an update replaces the time as a whole, or the messages, and the rest stays', async () => {
  const schedule_id = await idOf(create({ schedule: { time: '2036-01-01T09:00', in_local_time: true } }));
  expect(await stored()).toMatchObject({ in_local_time: true, due: new Date('2035-12-31T19:00:00Z') });
  expect((await change(schedule_id, { schedule: { time: '2036-01-02T09:00:00Z' } })).status).toBe(201);
  expect(await stored()).toMatchObject({
    time: '2036-01-02T09:00:00Z',
    due: new Date('2036-01-02T09:00:00Z'),
  });
  expect(await stored()).not.toHaveProperty('in_local_time');
  expect((await change(schedule_id, { messages: toWebhook('y') })).status).toBe(201);
  expect(JSON.parse((await stored())?.messages ?? '')).toEqual(toWebhook('y'));
  expect(await stored()).toMatchObject({ time: '2036-01-02T09:00:00Z' });
  expect(await change(schedule_id, {})).toMatchObject(refused('No message to send'));
});

it('a content card is shown for 30 days after it is sent at most, also after a change', async () => {
  const time = '2036-01-01T09:00:00Z';
  const card = (days: number) => ({
    content_card: {
      ...{ type: 'CLASSIC', title: 'x', description: 'y' },
      expire_at: new Date(Date.parse(time) + days * 86_400_000).toISOString(),
    },
  });
  const tooLong = refused('messages.content_card.expire_at must be at most 30 days after the card is sent');
  expect(await create({ schedule: { time }, messages: card(31) })).toEqual(tooLong);
  const schedule_id = await idOf(create({ schedule: { time }, messages: card(30) }));
  expect(await change(schedule_id, { messages: card(31) })).toEqual(tooLong);
  expect(await change(schedule_id, { schedule: { time: '2035-12-31T09:00:00Z' } })).toEqual(tooLong);
  const aDayLater = { schedule: { time: '2036-01-02T09:00:00Z' }, messages: card(31) };
  expect(await change(schedule_id, aDayLater)).toMatchObject({ status: 201 });
});

it('whole numbers of an audience keep their digits, as stored and as shown', async () => {
  const value = 9_007_199_254_740_993n;
  const audience = { custom_attribute: { custom_attribute_name: 'x', comparison: 'not_equal', value } };
  const schedule_id = await idOf(create({ external_user_ids: [], broadcast: true, audience }));
  const recipients = { broadcast: true, external_user_ids: [], audience };
  expect(recipientsOf((await stored()) ?? { recipients: '' })).toEqual(recipients);
  const { body } = await read(schedule_id);
  expect(body.recipients).toEqual(recipients);
  const tooLong = { custom_attribute: { ...audience.custom_attribute, value: 2n ** 63n } };
  expect(await create({ external_user_ids: [], broadcast: true, audience: tooLong })).toMatchObject(
    refused(expect.stringContaining('audience.custom_attribute.value')),
  );
});

it('a name that is no variable is told, and the messages are sent without it', async () => {
  const named = (name: string) => toWebhook(`{{\${${name}}}}`);
  const reason = 'messages.webhook.body: lst_name is not a variable of Roster: did you mean last_name?';
  const { status, body } = await create({ messages: named('lst_name') });
  expect([status, body.faults]).toEqual([201, [{ reason }]]);
  const { schedule_id } = body;
  expect((await change(schedule_id, { messages: named('lst_name') })).body).toEqual({
    message: 'success',
    faults: [{ reason }],
  });
  expect((await change(schedule_id, { messages: named('last_name') })).body).toEqual({ message: 'success' });
  const sending = { external_user_ids: ['ada'], messages: named('lst_name') };
  expect((await test.send('messages.send', sending)).body.faults).toEqual([{ reason }]);
});

it('a state of a group that the workspace does not have is told', async () => {
  const group = { id: 'newsletter', name: 'News', channel: 'email' };
  await store.workspaces.put({ id: 'demo', name: 'Demo', subscription_groups: [group] });
  const states = ['newsletter', 'email_global', 'email', 'push', 'newsleter'].map(
    (name) => `{{subscribed_state.\${${name}}}}`,
  );
  const { body } = await create({ messages: toWebhook(states.join('')) });
  const what = 'newsleter is not a subscription group of the workspace: did you mean newsletter?';
  expect(body.faults).toEqual([{ reason: `messages.webhook.body: ${what}` }]);
});

it('a cancelled schedule never fires, and cannot be changed any more', async () => {
  const schedule_id = await idOf(create());
  expect((await remove(schedule_id)).status).toBe(201);
  expect(await stored()).toMatchObject({ state: 'cancelled' });
  expect(await stored()).not.toHaveProperty('due');
  expect(await remove(schedule_id)).toEqual(
    refused('The schedule can no longer be changed: it is cancelled'),
  );
});

it('a schedule of another workspace is not there', async () => {
  const schedule_id = await idOf(create());
  const unknown = refused('Schedule ID is invalid for this workspace');
  expect(await remove(schedule_id, 'other')).toEqual(unknown);
  expect(await read(schedule_id, 'other')).toEqual(unknown);
});

it('the schedules of a workspace that wait are bounded in bytes', async () => {
  await create();
  await store.messages.schedules.updateOne({}, { $set: { size: 256 * 1024 * 1024 } });
  const full = refused('The workspace has as many schedules waiting as it may have');
  expect(await create()).toEqual(full);
  await store.messages.schedules.updateOne({}, { $set: { state: 'cancelled' }, $unset: { due: 1 } });
  expect((await create()).status).toBe(201);
});

const fire = later(() => createFire({ store, settingsOf: createSenderSettings(store) }));

it.each(['waiting', 'cancelled', 'missed'])(
  'a dispatch whose schedule is %s is known, and has no recipients',
  async (state) => {
    const { schedule_id, dispatch_id } = (await create()).body;
    if (state === 'cancelled') await remove(schedule_id);
    if (state === 'missed') {
      await store.messages.schedules.updateOne({}, { $set: { due: new Date(0) } });
      await fire();
    }
    const params = { dispatch_id: String(dispatch_id) };
    const sends = (ws: string) => test.send('messages.sends.get', undefined, { params, ws });
    const body = { schedule_id, state, results: {}, recipients: [], message: 'success' };
    expect(await sends('demo')).toEqual({ status: 200, body });
    expect(await sends('other')).toEqual(refused('Dispatch ID is invalid for this workspace'));
  },
);

/** What became of each of many schedules that were changed at the moment at which they fired. */
const race = async (change: (schedule_id: string) => Promise<{ status: number }>) => {
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await idOf(create()));
  await store.messages.schedules.updateMany({}, { $set: { due: new Date() } });
  const [, ...changed] = await Promise.all([fire(), ...ids.map(change)]);
  return Promise.all(
    ids.map(async (id, place) => {
      const schedule = await store.messages.schedules.findOne({ _id: id });
      const fired = await store.messages.deliveries.find({ schedule: id }).toArray();
      return { status: changed[place]?.status, state: schedule?.state, fired };
    }),
  );
};

it('a change at the moment at which the schedule fires comes wholly in time, or is refused', async () => {
  const updated = await race((id) => change(id, { schedule: { time: '2036-01-01T00:00:00Z' } }));
  for (const { status, state, fired } of updated)
    expect([status, state, fired.length]).toEqual(status === 201 ? [201, 'waiting', 0] : [400, 'sending', 1]);
  await store.messages.schedules.deleteMany({});
  await store.messages.deliveries.deleteMany({});
  const deleted = await race((id) => remove(id));
  for (const { status, state, fired } of deleted) {
    expect([status, state]).toEqual([201, fired.length === 0 ? 'cancelled' : 'stopped']);
    expect(fired.map(({ halted }) => halted)).toEqual(state === 'stopped' ? ['stopped'] : []);
  }
});

it('a schedule that is being sent is stopped by its deletion, once; one that is over stays as it is', async () => {
  const schedule_id = await idOf(create());
  await store.messages.schedules.updateOne({}, { $set: { due: new Date() } });
  await fire();
  expect(await remove(schedule_id)).toEqual({ status: 201, body: { message: 'success' } });
  expect((await read(schedule_id)).body).toMatchObject({ state: 'stopped' });
  const over = (state: string) => refused(`The schedule can no longer be changed: it is ${state}`);
  expect(await remove(schedule_id)).toEqual(over('stopped'));
  await store.messages.schedules.updateOne({}, { $set: { state: 'sent', ended: new Date() } });
  expect(await remove(schedule_id)).toEqual(over('sent'));
});

it('a schedule that was given up says why', async () => {
  const schedule_id = await idOf(create());
  await store.messages.schedules.updateOne({}, { $set: { state: 'failed', reason: 'email: it ended' } });
  const { body } = await read(schedule_id);
  expect(body).toMatchObject({ state: 'failed', reason: 'email: it ended' });
});

it('broadcasts that wait are listed until a time, the next one first', async () => {
  const audience = { custom_attribute: { custom_attribute_name: 'x', comparison: 'exists' } };
  const broadcast = (schedule: object) =>
    create({ external_user_ids: [], broadcast: true, audience, schedule });
  const later = await idOf(broadcast({ time: '2036-02-01T00:00:00', in_local_time: true }));
  const sooner = await idOf(broadcast({ time: '2036-01-01T00:00:00Z' }));
  await broadcast({ time: '2037-01-01T00:00:00Z' });
  await create();
  const { body } = await broadcasts({ end_time: '2036-12-31T00:00:00Z' });
  expect(body.scheduled_broadcasts).toEqual([
    {
      name: `Schedule ${sooner}`,
      id: sooner,
      type: 'Campaign',
      tags: [],
      next_send_time: '2036-01-01T00:00:00.000Z',
      schedule_type: 'UTC',
    },
    expect.objectContaining({
      id: later,
      next_send_time: '2036-02-01T00:00:00',
      schedule_type: 'local_time_zones',
    }),
  ]);
  expect(await broadcasts({})).toMatchObject({ status: 400 });
});

describe('what became of recipients', () => {
  const dispatch = 'a'.repeat(32);
  const counts = { ...noCounts, sent: 250, skipped: 2 };

  beforeEach(async () => {
    const of = aDelivery({ _id: `${dispatch}/email`, channel: 'email', counts });
    await store.messages.deliveries.insertOne(of);
    await store.messages.sends.insertMany(
      Array.from({ length: 252 }, (_, n) => {
        const skipped = { state: 'skipped', reason: 'unsubscribed' } as const;
        return aSend(`p${String(n).padStart(4, '0')}`, of, n % 126 === 125 ? skipped : { outbox: '{}' });
      }),
    );
  });

  const readSends = (query: Record<string, string>, ws = 'demo') =>
    test.send('messages.sends.get', undefined, { ws, params: { dispatch_id: dispatch }, query });

  it('is read page by page, each recipient once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await readSends(cursor === undefined ? {} : { cursor });
      const { recipients } = body as { recipients: { service_id: string }[] };
      expect(recipients.length).toBeLessThanOrEqual(100);
      expect(body.results).toEqual({ email: counts });
      seen.push(...recipients.map(({ service_id }) => service_id));
      cursor = body.cursor as string | undefined;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(252);
    expect(new Set(seen).size).toBe(252);
  });

  it('is read by state and channel', async () => {
    const { body } = await readSends({ state: 'skipped', channel: 'email' });
    expect(body.recipients).toEqual([
      expect.objectContaining({ service_id: 'p0125', reason: 'unsubscribed', external_id: null }),
      expect.objectContaining({ service_id: 'p0251' }),
    ]);
    expect((await readSends({ channel: 'webhook' })).body.recipients).toEqual([]);
  });

  it('is read by the names that were sent, where nobody has them', async () => {
    const of = aDelivery({ _id: `${dispatch}/webhook` });
    const names = ['demo:e:nobody', 'demo:a:3:crm:a:7', undefined];
    await store.messages.sends.insertMany(
      names.map((named, n) => ({
        ...aSend('', of, { state: 'skipped', reason: 'unknown', ...(named !== undefined && { named }) }),
        _id: `${of._id}/~00${n}`,
      })),
    );
    const { body } = await readSends({ channel: 'webhook' });
    const nobody = { service_id: null, state: 'skipped', reason: 'unknown' };
    expect(body.recipients).toEqual(
      [
        { ...nobody, external_id: 'nobody' },
        { ...nobody, external_id: null, user_alias: { alias_label: 'crm', alias_name: 'a:7' } },
        { ...nobody, external_id: null },
      ].map((one) => expect.objectContaining(one)),
    );
  });

  it('tells why, until when and after how many tries a recipient waits', async () => {
    const of = aDelivery({ _id: `${dispatch}/webhook` });
    const due = new Date('2036-01-01T00:00:00Z');
    await store.messages.sends.insertOne(
      aSend('p1', of, { state: 'waiting', reason: 'busy', due, tries: 2 }),
    );
    const { body } = await readSends({ channel: 'webhook' });
    expect(body.recipients).toEqual([
      expect.objectContaining({ state: 'waiting', reason: 'busy', due: due.toISOString(), tries: 2 }),
    ]);
  });

  it('tells codes alone: what a provider said is for operators, also what an earlier version wrote', async () => {
    const of = aDelivery({ _id: `${dispatch}/webhook` });
    const words = 'peer says: a1b2c3d4';
    const [told, old] = [{ reason: 'credentials_refused (401)', words }, { reason: words }];
    await store.messages.sends.insertMany([
      aSend('p1', of, { state: 'refused', ...told }),
      aSend('p2', of, { state: 'unknown', ...old }),
      aSend('p3', of, { state: 'skipped', reason: 'aborted: no stock' }),
    ]);
    const { body } = await readSends({ channel: 'webhook' });
    const { recipients } = body as { recipients: { reason: string }[] };
    expect(recipients.map(({ reason }) => reason)).toEqual([
      'credentials_refused (401)',
      'not_told',
      'aborted: no stock',
    ]);
    expect(JSON.stringify(body)).not.toContain('a1b2c3d4');
  });

  it('tells what was stored instead of being sent', async () => {
    const of = aDelivery({ _id: `${dispatch}/webhook` });
    await store.messages.sends.insertMany([aSend('p1', of, { stored: true, outbox: '{}' }), aSend('p2', of)]);
    const { recipients } = (await readSends({ channel: 'webhook' })).body as { recipients: object[] };
    expect(recipients).toMatchObject([{ state: 'sent', stored: true }, { state: 'sent' }]);
    expect(recipients[1]).not.toHaveProperty('stored');
  });

  it('counts listed names that were not looked up yet as waiting', async () => {
    const recipients = JSON.stringify({
      external_user_ids: ['a', 'b'],
      user_aliases: [{ alias_name: '7', alias_label: 'crm' }],
    });
    const counts = { ...noCounts, sent: 1 };
    const of = aDelivery({ _id: `${dispatch}/webhook`, channel: 'webhook', recipients, counts });
    await store.messages.deliveries.insertOne(of);
    const { webhook } = (await readSends({})).body.results as Record<string, unknown>;
    expect(webhook).toEqual({ ...counts, waiting: 2 });
  });

  it('is not read with a cursor of another dispatch, or by another workspace', async () => {
    const cursor = Buffer.from(`${'b'.repeat(32)}/email/x`).toString('base64url');
    expect(await readSends({ cursor })).toEqual(refused('Invalid cursor'));
    expect(await readSends({}, 'other')).toMatchObject({ status: 400 });
  });
});

it('the cards of a person are those that are still shown, also of people merged into them, pinned ones first', async () => {
  await store.profiles.deleteMany({});
  await store.identities.deleteMany({});
  await storeProfiles(store, [aProfile('p1', 1, { external_id: 'ada', more: { absorbed: ['p0'] } })]);
  const card = (_id: string, profile: string, more: object, ageMs = 0) => {
    const outbox = JSON.stringify({ type: 'CLASSIC', title: _id, ...more });
    const at = new Date(Date.now() - ageMs);
    return aSend(profile, aDelivery({ channel: 'content_card' }), { _id, outbox, at });
  };
  await store.messages.sends.insertMany([
    card('new', 'p1', {}),
    card('old and pinned', 'p0', { pinned: true }, 86_400_000),
    card('over', 'p1', { time_to_live: 60 }, 61_000),
    card('past', 'p1', { expire_at: '2020-01-01T00:00:00Z' }),
    card('of another', 'p2', {}),
  ]);
  const { body } = await test.send('content_cards.get', undefined, { params: { external_id: 'ada' } });
  const cards = body.content_cards as { id: string }[];
  expect(cards.map(({ id }) => id)).toEqual(['old and pinned', 'new']);
  const nobody = await test.send('content_cards.get', undefined, { params: { external_id: 'nobody' } });
  expect(nobody.body.content_cards).toEqual([]);
});

it('the Liquid tag of a preference center can be sent once the center is active', async () => {
  const pages = { preference_center_page_html: 'x', confirmation_page_html: 'x' };
  const center = { name: 'news', ...pages, state: 'draft' };
  const { body } = await test.send('preference_center.create', center);
  const messages = toWebhook(String(body.liquid_tag));
  const message =
    'A message links to a Preference Center that does not exist: news. The workspace has: default';
  expect(await create({ messages })).toEqual(refused(message));
  const params = { preferenceCenterExternalID: String(body.preference_center_api_id) };
  await test.send('preference_center.update', { ...pages, state: 'active' }, { params });
  expect((await create({ messages })).status).toBe(201);
});
