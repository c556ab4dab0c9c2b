import { openChannels } from '@roster/channels';
import { groupKey, identityKey } from '@roster/profile';
import { anEvent, createSignal, noCounts, serviceId, textOf, until, usePeer } from '@roster/testkit';
import type { Hand } from './send-one.ts';
import {
  always,
  crowd,
  email,
  handWith,
  noting,
  person,
  said,
  schedule,
  toEmail,
  toWebhook,
  useSending,
  ws,
} from './testbed.ts';

const { store, start, ended, settled, rows, add, addAll, run, tryNow, claim, withSettings } = useSending();

const got: string[] = [];
const receiver = usePeer(async (request, response) => {
  got.push(await textOf(request));
  response.end('{}');
});
beforeEach(() => {
  got.length = 0;
});

const countsOf = async () => (await store.messages.deliveries.findOne({}))?.counts;

test('a broadcast reaches everybody once, each with their own text', async () => {
  const people = crowd(1100).map((one, n) => ({ ...one, fields: { first_name: { v: `Ada${n}`, at: 1 } } }));
  await store.profiles.insertMany(people);
  const channels = openChannels();
  const patient = { allowPrivate: true, timeoutMs: 600_000 };
  const hand: Hand = (_ws, _channel, { to }, { id, content }) =>
    channels.send('webhook', patient, { id, to, content });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Liquid of the interface
  await run(hand, schedule(toWebhook('{{${first_name}}}', receiver.url)));
  await channels.close();
  expect(got.toSorted()).toEqual(people.map(({ fields }) => fields.first_name.v).toSorted());
  expect(await countsOf()).toEqual({ ...noCounts, sent: 1100 });
  expect(await store.messages.sends.countDocuments({ state: 'sent' })).toBe(1100);
});

test.each([
  ['anybody', undefined, 'sent', 'skipped: unsubscribed'],
  ['those who opted in', 'opted_in', 'skipped: unsubscribed', 'skipped: unsubscribed'],
  ['all', 'all', 'sent', 'sent'],
])('of an email for %s, who is left out has a reason', async (_who, state, unasked, refused) => {
  await store.profiles.insertMany([
    person(1, { ...email('one@example.com') }),
    person(2, { ...email('two@example.com'), ...said('email', 'unsubscribed') }),
    person(3, { ...email('three@example.com'), ...said('email', 'opted_in') }),
    person(4, said('email', 'opted_in')),
  ]);
  const recipients = JSON.stringify({ broadcast: true, recipient_subscription_state: state });
  await run(always({ state: 'sent', id: 'x1' }), schedule(toEmail, { recipients }));
  expect(await rows()).toEqual({ p1: unasked, p2: refused, p3: 'sent', p4: 'skipped: no_email' });
});

test('what a provider takes later is tried again, and given up in the end', async () => {
  await store.profiles.insertMany([person(1), person(2)]);
  const { ids, hand } = noting(async (_ws, _channel, _to, { id }) =>
    id.endsWith('/p1') ? { state: 'later', reason: 'busy', afterMs: 1 } : { state: 'sent' },
  );
  start(hand);
  const one = await add(toWebhook());
  for (let tries = 1; tries < 6; tries++) {
    await until(() => store.messages.sends.findOne({ profile: 'p1', state: 'waiting', tries }));
    await tryNow();
  }
  await ended(one._id);
  await settled();
  expect(await rows()).toEqual({ p1: 'refused: given up after 6 tries: busy', p2: 'sent' });
  expect(ids).toHaveLength(7);
});

test('what a process was sending when it died is unknown and not sent again; a late answer still counts', async () => {
  await store.profiles.insertMany([person(1), person(2)]);
  const answer = createSignal();
  const sending = start(always({ state: 'sent' }, answer.given));
  const one = await add(toWebhook());
  await until(async () => (await store.messages.sends.countDocuments({ state: 'sending' })) === 2);
  // A minute later.
  await store.messages.sends.updateMany({}, { $set: { at: new Date(Date.now() - 61_000) } });
  await tryNow();
  const { state } = await ended(one._id);
  expect(state).toBe('sent');
  const lost = 'unknown: sender_ended';
  expect(await rows()).toEqual({ p1: lost, p2: lost });
  expect(await countsOf()).toEqual({ ...noCounts, unknown: 2 });
  // It was only slow.
  answer.give();
  await sending.stop();
  expect(await rows()).toEqual({ p1: 'sent', p2: 'sent' });
});

/** Goes out to those for whom the condition is true. */
const unlessOut = (condition: string, before = '') =>
  `${before}{% if ${condition} %}in{% else %}{% abort_message('out') %}{% endif %}`;
const state = (name: string) => `subscribed_state.\${${name}}`;

const optedIn = { k: 'email' as const, v: 'opted_in' as const, at: 2 };
const inGroup = { k: groupKey('news'), v: 'subscribed' as const, at: 2 };

test.each([
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Liquid of the interface
  ['an attribute', unlessOut('custom_attribute.${vip}')],
  ['what was said under an email', unlessOut("subscribed_state.email == 'opted_in'")],
  [
    'the same by a name that is made of parts',
    unlessOut("[said].email == 'opted_in'", "{% assign said = 'subscribed_' | append: 'state' %}"),
  ],
  [
    'the state of a group by its id, and of all emails as pages do',
    unlessOut(`${state('news')} == 'subscribed' and ${state('email_global')} == 'opted_in'`),
  ],
])('a text names %s, and skips the person by an abort', async (_what, body) => {
  const custom = [{ k: 'vip', v: true, at: 1 }];
  await store.profiles.insertMany([
    person(1, { ...email('said@example.com'), custom, consents: [inGroup] }),
    person(2),
  ]);
  const key = identityKey(ws, { by: 'email', email: 'said@example.com' });
  await store.transact((session) => store.contactConsents.write(session, [{ ws, key, consents: [optedIn] }]));
  await run(always({ state: 'sent' }), schedule(toWebhook(body)));
  expect(await rows()).toEqual({ p1: 'sent', p2: 'skipped: aborted: out' });
});

test('a schedule that was due long ago is missed, and nothing of it is sent', async () => {
  await store.profiles.insertOne(person(1));
  const { state } = await run(
    always({ state: 'sent' }),
    schedule(toWebhook(), { due: new Date(Date.now() - 2 * 60 * 60_000) }),
  );
  expect(state).toBe('missed');
  expect(await rows()).toEqual({});
});

test('listed people get it, also by alias, and who is listed twice gets it once', async () => {
  await store.profiles.insertMany([person(1), person(2), person(3)]);
  await claim('u1', 'p1');
  await claim('u2', 'p2');
  const _id = identityKey(ws, { by: 'user_alias', label: 'shop', name: 'x' });
  await store.identities.insertOne({ _id, profile: 'p1', at: 1 });
  const recipients = {
    external_user_ids: ['u1', 'u2', 'nobody'],
    user_aliases: [{ alias_label: 'shop', alias_name: 'x' }],
  };
  await run(always({ state: 'sent' }), schedule(toWebhook(), { recipients: JSON.stringify(recipients) }));
  expect(await rows()).toMatchObject({ p1: 'sent', p2: 'sent', [_id]: 'skipped: duplicate' });
});

test('a schedule all of whose people were erased goes to nobody', async () => {
  await store.profiles.insertMany([person(1), person(2)]);
  const recipients = JSON.stringify({ external_user_ids: [''] });
  await run(always({ state: 'sent' }), schedule(toWebhook(), { recipients }));
  expect(Object.values(await rows())).toEqual(['skipped: deleted']);
});

test('in local time everybody gets it when it is so late where they are', async () => {
  const zone = (name: string) => ({ fields: { time_zone: { v: name, at: 1 } } });
  await store.profiles.insertMany([
    person(1, zone('Pacific/Kiritimati')),
    person(2, zone('Pacific/Pago_Pago')),
    person(3, zone('no such zone')),
  ]);
  const now = Date.now();
  const time = new Date(now + 14 * 60 * 60_000 - 1000).toISOString().slice(0, 19);
  const sending = start(always({ state: 'sent' }));
  await add(toWebhook(), { time, in_local_time: true });
  await until(() => store.messages.sends.findOne({ state: 'sent' }));
  await sending.stop();
  expect(await rows()).toEqual({ p1: 'sent', p2: 'waiting: planned', p3: 'waiting: planned' });
  const due = await store.messages.sends.find({ state: 'waiting' }).sort({ _id: 1 }).toArray();
  const hours = due.map((row) => Math.round(((row.due?.getTime() ?? 0) - now) / 3_600_000));
  expect(hours).toEqual([25, 14]);
});

test('two processes send what there is once', async () => {
  await store.profiles.insertMany(crowd(250));
  const { ids, hand } = noting();
  for (let n = 0; n < 3; n++) start(hand);
  await addAll(3, toWebhook());
  await settled();
  expect(ids).toHaveLength(750);
  expect(await store.messages.sends.countDocuments({ state: 'sent' })).toBe(750);
});

test('what has no answer is tried again under its id where the workspace wants that, six times at most', async () => {
  await withSettings({ messaging: { resend_unknown: true } });
  await store.profiles.insertOne(person(1));
  const { ids, hand } = noting(always({ state: 'unknown', reason: 'no_answer' }));
  start(hand);
  const one = await add(toWebhook());
  for (let tries = 1; tries < 6; tries++) {
    await until(() => store.messages.sends.findOne({ state: 'waiting', tries }));
    await tryNow();
  }
  await ended(one._id);
  await settled();
  expect(await rows()).toEqual({ p1: 'unknown: no_answer' });
  expect(ids).toEqual(Array.from({ length: 6 }, () => `${one.dispatch}/webhook/p1`));
});

test('at the optimal time everybody gets it at the hour of most of their events', async () => {
  const profile = serviceId('ada');
  await store.profiles.insertOne({ ...person(1), _id: profile });
  const hour = new Date(Date.now() + 2 * 3_600_000).getUTCHours();
  const at = (n: number) =>
    new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - n * 86_400_000 + hour * 3_600_000);
  await store.events.insert([1, 2, 3].map((n) => anEvent(profile, { time: at(n) })));
  const day = new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 10);
  const sending = start(always({ state: 'sent' }));
  await add(toWebhook(), { time: `${day}T23:59:00`, at_optimal_time: true });
  await until(() => store.messages.sends.findOne({}));
  await sending.stop();
  const row = await store.messages.sends.findOne({});
  expect(row).toMatchObject({ state: 'waiting' });
  expect(row?.due?.getUTCHours()).toBe(hour);
});

describe('what has no provider', () => {
  const hand = () => handWith(store, openChannels());

  test('is kept as it would have been sent', async () => {
    await store.profiles.insertOne(person(1, email('one@example.com')));
    await run(hand(), schedule(toEmail));
    const row = await store.messages.sends.findOne({});
    expect(row?.state).toBe('sent');
    expect(await store.messages.deliveries.findOne({})).toMatchObject({ counts: { sent: 1 }, kept: 1 });
    expect(JSON.parse(row?.outbox ?? '')).toEqual({
      ...{ to: 'one@example.com', ...toEmail.email },
      added_headers: { 'List-Unsubscribe': '<https://example.com/u>' },
    });
  });

  test('a credential that cannot be read holds the message back, and says why', async () => {
    await withSettings({
      apps: [{ id: 'shop', name: 'Shop', channels: { email: { smtp: { env: 'ROSTER_CREDENTIAL_SMTP' } } } }],
    });
    await store.profiles.insertOne(person(1, email('one@example.com')));
    start(hand());
    await add(toEmail);
    const words = 'the variable ROSTER_CREDENTIAL_SMTP is not set or empty: set it to the credential';
    const why = { reason: 'credentials_unreadable', words };
    await until(() => store.messages.sends.findOne({ state: 'waiting', ...why }));
  });

  test('a webhook to a private host is refused unless the workspace allows it', async () => {
    await store.profiles.insertOne(person(1));
    const local = toWebhook('x', receiver.url);
    await run(hand(), schedule(local));
    expect(await rows()).toEqual({ p1: 'refused: private_network' });
    await store.messages.sends.deleteMany({});
    await withSettings({ messaging: { webhook_private_hosts: true } });
    await run(hand(), schedule(local));
    expect(await rows()).toEqual({ p1: 'sent' });
    expect(got).toEqual(['x']);
  });
});

test('of emails without a server some are kept to be looked at, not millions', async () => {
  await store.profiles.insertMany(crowd(1800, ws, email('one@example.com')));
  await run(always(undefined), schedule(toEmail));
  expect(await store.messages.sends.countDocuments({ state: 'sent' })).toBe(1800);
  expect(await store.messages.deliveries.findOne({})).toMatchObject({ counts: { sent: 1800 }, kept: 1800 });
  const kept = await store.messages.sends.countDocuments({ outbox: { $exists: true } });
  expect(kept).toBeGreaterThanOrEqual(1000);
  expect(kept).toBeLessThan(1800);
});

test('a content card is sent, although it has no provider: apps read it where it is kept', async () => {
  await store.profiles.insertOne(person(1));
  await run(always(undefined), schedule({ content_card: { type: 'CLASSIC', title: 'x', description: 'y' } }));
  const delivery = await store.messages.deliveries.findOne({});
  expect(delivery?.counts.sent).toBe(1);
  expect(delivery).not.toHaveProperty('kept');
});
