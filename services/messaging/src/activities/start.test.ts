import { type Profile, tokenKey } from '@roster/profile';
import { always, person, said, schedule, useSending } from '../sending/testbed.ts';
import { useTestbed } from '../testbed.ts';

const { store, rows, start: startSending, ended, run, claim, withSettings } = useSending();
const { test: bed } = useTestbed(store);

const apps = [
  { id: 'shop', name: 'Shop', platform: 'ios' },
  { id: 'other', name: 'Another app', platform: 'ios' },
];
beforeEach(async () => {
  await claim('u1', 'p1');
  await withSettings({ apps });
});

const token = (app_id: string, name: string, activity_attributes_type?: string) => ({
  k: tokenKey(app_id, name),
  v: { app_id, token: name, ...(activity_attributes_type && { activity_attributes_type }) },
  at: 1,
});

const withTokens = (...items: ReturnType<typeof token>[]): Partial<Profile> => ({
  lists: { push_tokens: { items } },
});

const start = {
  app_id: 'shop',
  activity_id: 'match',
  activity_attributes_type: 'Match',
  activity_attributes: { home: 'Ada FC' },
  content_state: { score: '0:0' },
  notification: { alert: { title: 'Kick-off', body: 'Ada FC' } },
};

const named = (...external_user_ids: string[]) => ({ ...start, external_user_ids });

/** What was due long ago is not sent. */
const send = (body: object) => bed.send('messages.live_activity.start', body, { at: Date.now() * 1000 });

interface Got {
  channel: string;
  to: string;
  content: object;
}

/** Ends when the start has gone out to everybody. */
const sendAll = async (body: object): Promise<Got[]> => {
  const got: Got[] = [];
  const sending = startSending(async (_ws, channel, { to }, { content }) => {
    got.push({ channel, to, content });
    return { state: 'sent' };
  });
  const { body: told } = await send(body);
  const found = await store.messages.schedules.findOne({ dispatch: String(told.dispatch_id) });
  await ended(found?._id ?? '');
  await sending.stop();
  return got;
};

test('goes to the tokens that start activities of its type and app, and to no other ones', async () => {
  const others = [token('shop', 'push'), token('shop', 'race', 'Race'), token('other', 'match', 'Match')];
  await store.profiles.insertOne(person(1, withTokens(token('shop', 'match', 'Match'), ...others)));
  expect(await sendAll(named('u1'))).toMatchObject([{ channel: 'live_activity', to: 'match' }]);
  expect(await rows()).toEqual({ p1: 'sent' });
});

test('who has no such token, or unsubscribed from pushes, is skipped with the reason', async () => {
  await store.profiles.insertMany([
    person(1, withTokens(token('shop', 'push'))),
    person(2, { ...withTokens(token('shop', 'match', 'Match')), ...said('push', 'unsubscribed') }),
    person(3, withTokens(token('shop', 'match', 'Match'))),
  ]);
  // Live activities do not wait for the end of quiet hours.
  await withSettings({ apps, messaging: { quiet_hours: { from: '00:00', to: '23:59' } } });
  await sendAll({
    ...start,
    custom_audience: { email_subscription_status: { comparison: 'is_not', value: 'unsubscribed' } },
  });
  expect(await rows()).toEqual({ p1: 'skipped: no_device', p2: 'skipped: unsubscribed', p3: 'sent' });
});

test('a start token gets no pushes', async () => {
  await store.profiles.insertOne(person(1, withTokens(token('shop', 'match', 'Match'))));
  await run(always({ state: 'sent' }), schedule({ ios_push: { alert: 'Hello' } }));
  expect(await rows()).toEqual({ p1: 'skipped: no_device' });
});

test('its texts are written for each person', async () => {
  await store.profiles.insertOne({
    ...person(1, withTokens(token('shop', 'match', 'Match'))),
    fields: { first_name: { v: 'Ada', at: 1 } },
  });
  const [got] = await sendAll({ ...named('u1'), content_state: { line: `Go, {{\${first_name}}}!` } });
  expect(got?.content).toMatchObject({ event: 'start', content_state: { line: 'Go, Ada!' } });
});

test('a name that is no variable is told', async () => {
  const { status, body } = await send({ ...named('u1'), content_state: { line: `{{\${lst_name}}}` } });
  const reason = 'content_state.line: lst_name is not a variable of Roster: did you mean last_name?';
  expect([status, body]).toEqual([
    201,
    { dispatch_id: expect.any(String), message: 'success', faults: [{ reason }] },
  ]);
});

test('GET /sends tells what became of it', async () => {
  await store.profiles.insertOne(person(1, withTokens(token('shop', 'match', 'Match'))));
  await sendAll(named('u1'));
  const [{ dispatch } = { dispatch: '' }] = await store.messages.schedules.find({}).toArray();
  const { body } = await bed.send('messages.sends.get', undefined, { params: { dispatch_id: dispatch } });
  expect(body).toMatchObject({
    results: { live_activity: { sent: 1 } },
    recipients: [{ external_id: 'u1', channel: 'live_activity', state: 'sent' }],
  });
});

test.each([
  ['nobody is named', start, 'exactly one is required'],
  ['people and a segment', { ...named('u1'), segment_id: 'fans' }, 'exactly one is required'],
  [
    '51 users of both kinds',
    {
      ...named(...Array.from({ length: 26 }, (_, n) => `u${n}`)),
      user_aliases: Array.from({ length: 25 }, (_, n) => ({ alias_label: 'a', alias_name: `n${n}` })),
    },
    'at most 50 together',
  ],
  [
    'an app of another workspace',
    { ...named('u1'), app_id: 'nowhere' },
    'app_id must be an app of the workspace',
  ],
  [
    'an alert without a body',
    { ...named('u1'), notification: { alert: { title: 'x' } } },
    'a title and a body',
  ],
  ['a date that is none', { ...named('u1'), stale_date: 'soon' }, 'stale_date must be a time in ISO 8601'],
  ['more than APNs takes', { ...named('u1'), content_state: { x: 'x'.repeat(4096) } }, 'at most 4,096 bytes'],
  ['a segment that is not there', { ...start, segment_id: 'nowhere' }, 'segment'],
  ['an audience that is none', { ...start, custom_audience: { AND: 1 } }, 'custom_audience.AND must be'],
  ['Liquid that has no end', { ...named('u1'), content_state: { x: '{{ a' } }, 'content_state.x'],
])('%s is refused', async (_, body, message) => {
  const answer = await send(body);
  expect([answer.status, String(answer.body.message)]).toEqual([400, expect.stringContaining(message)]);
});
