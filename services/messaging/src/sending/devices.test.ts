import type { Answer } from '@roster/channels';
import { groupKey, type Profile, tokenKey } from '@roster/profile';
import { until } from '@roster/testkit';
import { always, email, person, said, schedule, toEmail, toWebhook, useSending } from './testbed.ts';

const { store, start, ended, settled, rows, add, run, tryNow, withSettings } = useSending();

const apps = [
  { id: 'phone', name: 'Phone', platform: 'ios' },
  {
    id: 'tablet',
    name: 'Tablet',
    channels: {
      ios_push: { key: { file: 'k.p8' }, key_id: 'ABC123DEFG', team_id: 'DEF123GHIJ', topic: 'com.example' },
    },
  },
  { id: 'other', name: 'Of no platform' },
];

beforeEach(() => withSettings({ apps }));

/** At these stamps, one after the other. */
const withTokens = (
  ...tokens: (readonly [app: string, token: string, more?: object])[]
): Partial<Profile> => ({
  lists: {
    push_tokens: {
      items: tokens.map(([app_id, token, more], n) => ({
        k: tokenKey(app_id, token),
        v: { app_id, token, device_id: `device of ${token}`, ...more },
        at: n + 1,
      })),
    },
  },
  token_keys: tokens.map(([app, token]) => tokenKey(app, token)).toSorted(),
  device_keys: tokens.map(([, token]) => `device of ${token}`).toSorted(),
});

const push = { ios_push: { alert: 'Hello' } };

/** Answers by token, one after the other; the last one for ever. */
const answering = (by: Record<string, Answer[]>, others?: Answer) => {
  const got: string[] = [];
  const ids: string[] = [];
  const hand = async (_ws: string, _channel: string, { to }: { to: string }, { id }: { id: string }) => {
    got.push(to);
    ids.push(id);
    const answers = by[to] ?? [];
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? others;
  };
  return { got, ids, hand };
};

const sent: Answer = { state: 'sent', id: 'x' };
const busy: Answer = { state: 'later', reason: 'busy' };

test('a push goes to each device of the apps of its platform, under an id of its own', async () => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'], ['tablet', 'b'], ['other', 'd'])));
  const { got, ids, hand } = answering({ a: [sent], b: [sent] });
  await run(hand, schedule(push));
  expect(got.toSorted()).toEqual(['a', 'b']);
  expect(new Set(ids).size).toBe(2);
  expect(await rows()).toEqual({ p1: 'sent' });
});

test('only the latest device gets it where the message says so', async () => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'], ['phone', 'b'])));
  const { got, hand } = answering({ a: [sent], b: [sent] });
  await run(hand, schedule({ ios_push: { alert: 'x', send_to_most_recent_device_only: true } }));
  expect(got).toEqual(['b']);
});

test('of very many devices the 20 latest get it', async () => {
  const tokens = Array.from({ length: 50 }, (_, n) => ['phone', `t${n + 10}`] as const);
  await store.profiles.insertOne(person(1, withTokens(...tokens)));
  const { got, hand } = answering({}, sent);
  await run(hand, schedule(push));
  expect(got.toSorted()).toEqual(tokens.slice(-20).map(([, token]) => token));
});

test('a device that shows nothing gets only pushes that show nothing', async () => {
  const silent = { notifications_enabled: false };
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a', silent], ['phone', 'b'])));
  const { got, hand } = answering({ a: [sent], b: [sent] });
  await run(hand, schedule(push));
  expect(got).toEqual(['b']);
  await run(hand, schedule({ ios_push: { 'content-available': true } }));
  expect(got.toSorted()).toEqual(['a', 'b', 'b']);
});

test('who has no device of the platform, or unsubscribed from pushes, is skipped with the reason', async () => {
  await store.profiles.insertMany([
    person(1, withTokens(['other', 'a'])),
    person(2, { ...withTokens(['phone', 'b']), ...said('push', 'unsubscribed') }),
    person(3, { ...withTokens(['phone', 'c']), ...said('email', 'unsubscribed') }),
    person(4),
  ]);
  await run(always(sent), schedule(push));
  expect(await rows()).toEqual({
    p1: 'skipped: no_device',
    p2: 'skipped: unsubscribed',
    p3: 'sent',
    p4: 'skipped: no_device',
  });
});

/** To a person with two devices, one of which is busy; ends when the other one has it. */
const sendToBusy = async (...then: Answer[]) => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'], ['phone', 'b'])));
  const { got, hand } = answering({ a: [sent], b: [busy, ...then] });
  start(hand);
  const { _id } = await add(push);
  await until(() => store.messages.sends.findOne({ state: 'waiting', reason: 'busy' }));
  expect(got.toSorted()).toEqual(['a', 'b']);
  return { got, _id };
};

test('a device that has it is left out of the next try', async () => {
  const { got, _id } = await sendToBusy(sent);
  await tryNow();
  await ended(_id);
  await settled();
  expect(got.toSorted()).toEqual(['a', 'b', 'b']);
  expect(await rows()).toEqual({ p1: 'sent' });
});

const paused: Answer = { state: 'later', reason: 'rate_limited', afterMs: 3_600_000, unbegun: true };

/** Ends when the row waits for its next try, after so many. */
const waits = (tries: number, more: object = {}) =>
  until(() => store.messages.sends.findOne({ state: 'waiting', tries, ...more }));

describe('a pause that the provider wants', () => {
  it('costs no try, however many times it is met, and is waited for', async () => {
    await store.profiles.insertOne(person(1, withTokens(['phone', 'a'])));
    const { got, hand } = answering({ a: [...Array<Answer>(9).fill(paused), sent] });
    start(hand);
    const { _id } = await add(push);
    for (let n = 1; n <= 9; n++) {
      await until(() => got.length === n);
      const row = await waits(0);
      expect(row.reason).toBe('rate_limited');
      expect((row.due?.getTime() ?? 0) - row.at.getTime()).toBeGreaterThan(3_500_000);
      await tryNow();
    }
    await ended(_id);
    expect(await rows()).toEqual({ p1: 'sent' });
  });

  it.each([
    ['when it has lasted for a day', push, 24 * 3_600_000],
    ['when the message is of no more use', { ios_push: { alert: 'x', expiry: '2020-01-01T00:00:00Z' } }, 0],
  ])('costs a try each time %s', async (_what, messages, ageMs) => {
    await store.profiles.insertOne(person(1, withTokens(['phone', 'a'])));
    const { got, hand } = answering({ a: [ageMs ? paused : { ...paused, afterMs: 1 }] });
    start(hand);
    const { _id } = await add(messages);
    const first = await waits(ageMs ? 0 : 1);
    if (ageMs)
      await store.messages.sends.updateOne(
        { _id: first._id },
        { $set: { paused: new Date(Date.now() - ageMs) } },
      );
    for (let tries = ageMs ? 1 : 2; tries <= 5; tries++) {
      await tryNow();
      await waits(tries);
    }
    await tryNow();
    await ended(_id);
    expect(got).toHaveLength(ageMs ? 7 : 6);
    expect(await rows()).toEqual({ p1: 'refused: given up after 6 tries: rate_limited' });
  });

  it('of one device gives it nothing up, though the tries of another one are over', async () => {
    await store.profiles.insertOne(person(1, withTokens(['phone', 'a'], ['phone', 'b'])));
    const { got, hand } = answering({ a: [busy], b: [...Array<Answer>(6).fill(paused), sent] });
    start(hand);
    const { _id } = await add(push);
    for (let tries = 1; tries <= 6; tries++) {
      await until(() => got.length === 2 * tries);
      await waits(Math.min(tries, 5));
      await tryNow();
    }
    await ended(_id);
    expect(got).toHaveLength(14);
    expect(await rows()).toEqual({ p1: 'sent' });
  });
});

test('who has it on a device and unsubscribes before the others get it was sent to', async () => {
  const { got, _id } = await sendToBusy();
  await store.profiles.updateOne({ _id: 'p1' }, { $set: said('push', 'unsubscribed') });
  await tryNow();
  await ended(_id);
  await settled();
  expect(got.toSorted()).toEqual(['a', 'b']);
  expect(await rows()).toEqual({ p1: 'sent' });
  expect((await store.messages.deliveries.findOne({}))?.counts).toMatchObject({ waiting: 0, sent: 1 });
});

test.each<[string, Answer, Answer, string]>([
  ['one has it, one is refused', sent, { state: 'refused', reason: 'provider_refused' }, 'sent'],
  [
    'one has it, of one nobody knows',
    sent,
    { state: 'unknown', reason: 'connection_lost' },
    'unknown: connection_lost',
  ],
  [
    'all are refused',
    { state: 'refused', reason: 'device_gone' },
    { state: 'refused', reason: 'provider_refused' },
    'refused: device_gone',
  ],
])('of two devices %s', async (_what, a, b, state) => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'b'], ['phone', 'a'])));
  await run(answering({ a: [a], b: [b] }).hand, schedule(push));
  expect(await rows()).toEqual({ p1: state });
});

const dead = (since?: number): Answer => ({
  state: 'refused',
  reason: 'device_gone',
  gone: since === undefined ? {} : { since },
});

const tokensOf = async (): Promise<unknown[]> => {
  const profile = await store.profiles.findOne({ _id: 'p1' });
  return (profile?.lists.push_tokens?.items ?? []).map(({ v }) => v.token);
};

test('a token that the provider calls dead is taken from the person, and the others stay', async () => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'], ['phone', 'b'], ['other', 'c'])));
  await run(answering({ a: [dead()], b: [sent] }).hand, schedule(push));
  expect(await rows()).toEqual({ p1: 'sent' });
  expect(await tokensOf()).toEqual(['b', 'c']);
  expect(await store.profiles.findOne({ _id: 'p1' })).toMatchObject({
    token_keys: [tokenKey('other', 'c'), tokenKey('phone', 'b')],
    device_keys: ['device of b', 'device of c'],
  });
});

test('a token that is none of the channel stays while the channel may be the mistake', async () => {
  await store.profiles.insertMany([
    person(1, withTokens(['phone', 'a'])),
    person(2, withTokens(['phone', 'b'])),
  ]);
  let isProven = false;
  const doubtful: Answer = { state: 'refused', reason: 'device_gone', gone: { isSure: () => isProven } };
  await run(always(doubtful), schedule(push));
  expect(await tokensOf()).toEqual(['a']);
  isProven = true;
  await run(always(doubtful), schedule(push, { _id: 'again', dispatch: 'again' }));
  expect(await tokensOf()).toEqual([]);
});

test('the last token of a person leaves no keys behind', async () => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'])));
  await run(always(dead()), schedule(push));
  expect(await rows()).toEqual({ p1: 'refused: device_gone' });
  expect(await tokensOf()).toEqual([]);
  const profile = await store.profiles.findOne({ _id: 'p1' });
  expect(profile).not.toHaveProperty('token_keys');
  expect(profile).not.toHaveProperty('device_keys');
});

/** It came in the second second of 1970. */
test.each([
  ['before the moment that the provider names goes', 2001, []],
  ['since the moment that the provider names stays', 2000, ['a']],
])('a token that came %s', async (_what, since, left) => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'])));
  await store.profiles.updateOne({ _id: 'p1' }, { $set: { 'lists.push_tokens.items.0.at': 2_000_000 } });
  await run(always(dead(since)), schedule(push));
  expect(await tokensOf()).toEqual(left);
});

test('a token that came again while the push was under way stays', async () => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'])));
  await run(async () => {
    await store.profiles.updateOne(
      { _id: 'p1' },
      { $set: { 'lists.push_tokens.items.0.at': (Date.now() + 60_000) * 1000 } },
    );
    return dead();
  }, schedule(push));
  expect(await tokensOf()).toEqual(['a']);
});

test('a person who is no longer there when a token is dead is left in peace', async () => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'])));
  await run(async () => {
    await store.profiles.deleteOne({ _id: 'p1' });
    return dead();
  }, schedule(push));
  expect(await rows()).toEqual({ p1: 'refused: device_gone' });
});

test('without credentials a push is kept with the tokens that it would go to', async () => {
  await store.profiles.insertOne(person(1, withTokens(['phone', 'a'], ['phone', 'x'.repeat(4000)])));
  await run(always(undefined), schedule(push));
  const row = await store.messages.sends.findOne({});
  expect(row?.state).toBe('sent');
  expect(JSON.parse(row?.outbox ?? '')).toEqual({ to: ['x'.repeat(500), 'a'], alert: 'Hello' });
});

test('in quiet hours an email and a push wait until they are over, and a webhook does not', async () => {
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const quiet_hours = { from: clock(-1), to: clock(1) };
  await withSettings({ apps, messaging: { quiet_hours, time_zone: 'UTC' } });
  await store.profiles.insertOne(person(1, { ...email('a@example.com'), ...withTokens(['phone', 'a']) }));
  const sending = start(always(sent));
  await add({ ...toEmail, ...push, ...toWebhook() });
  await until(async () => (await store.messages.sends.countDocuments({})) === 3);
  await sending.stop();
  const found = await store.messages.sends.find({}).sort({ channel: 1 }).toArray();
  expect(
    found.map((row) => [row.channel, row.state, row.reason, row.due?.toISOString().slice(11, 16)]),
  ).toEqual([
    ['email', 'waiting', 'quiet_hours', quiet_hours.to],
    ['ios_push', 'waiting', 'quiet_hours', quiet_hours.to],
    ['webhook', 'sent', undefined, undefined],
  ]);
});

test('a text message goes to the phones of subscribers of its group, whoever is wanted', async () => {
  const phone = (v: string) => ({ fields: { phone: { v, at: 1 } }, phone_key: v });
  const toTexts = { sms: { app_id: 'phone', subscription_group_id: 'alerts', body: 'x' } };
  const group = groupKey('alerts', 'sms');
  await store.profiles.insertMany([
    person(1, { ...phone('+15550101'), ...said(group, 'subscribed') }),
    person(2, phone('+15550102')),
    person(3, { ...phone('+15550103'), ...said(group, 'unsubscribed') }),
    person(4, said(group, 'subscribed')),
    person(5, { ...email('five@example.com'), ...said('email', 'opted_in') }),
  ]);
  const { got, hand } = answering({}, sent);
  const all = { recipients: JSON.stringify({ broadcast: true, recipient_subscription_state: 'all' }) };
  await run(hand, schedule(toTexts, all));
  expect(got).toEqual(['+15550101']);
  expect(await rows()).toEqual({
    p1: 'sent',
    p2: 'skipped: unsubscribed',
    p3: 'skipped: unsubscribed',
    p4: 'skipped: no_phone',
    p5: 'skipped: unsubscribed',
  });
});
