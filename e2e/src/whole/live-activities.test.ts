/** Live activities from the caller to APNs, a strict server of our own, and back into the outcome. */
import { createKey, publishKey } from '@roster/access';
import { testSecret as secret, until } from '@roster/testkit';
import { channel, dead, useApns } from '../apns.ts';
import { useWorkspace } from '../shared.ts';
import { withChannels } from '../system.ts';

const { got, broadcasts, channels } = useApns();
const system = useWorkspace('live-activities', (usual) => withChannels(usual, channels()));

const token = '80a1c3d5e7f90b2d4f6a8c0e1b3d5f7a9c0e2b4d6f8a0c1e3b5d7f9a0b2c4d6e';

const named = { app_id: 'demo-app', activity_id: 'match-17' };
const register = (push_token: string) =>
  system.insist((caller) => caller.post('/messages/live_activity/register').send({ ...named, push_token }));
const update = (more: object) =>
  system.insist((caller) => caller.post('/messages/live_activity/update').send({ ...named, ...more }));

/** When APNs has said what became of it. */
const outcomeOf = ({ headers }: Awaited<ReturnType<typeof update>>) =>
  until(async () => {
    const { body } = await system.caller.get(`/requests/${headers['x-request-id']}`);
    const { devices } = (body.answer ?? {}) as { devices?: unknown };
    return (devices || body.reason) && { reason: body.reason, devices };
  });

it('an update reaches the devices, and the request tells what APNs said of each', async () => {
  for (const one of [token, dead]) expect(await register(one)).toMatchObject({ status: 201 });
  const alert = { title: 'Goal', body: 'One to nil' };
  const answered = await update({
    content_state: { score: '1:0' },
    stale_date: '2030-01-01T00:01:00Z',
    notification: { ios_push: { alert } },
  });
  expect([answered.status, answered.body.message]).toEqual([201, 'success']);
  const outcome = await outcomeOf(answered);
  const [push] = got();
  expect(outcome).toEqual({
    reason: undefined,
    devices: [
      { device: `...${token.slice(-8)}`, state: 'sent', id: push?.headers['apns-id'] },
      { device: '...deaddead', state: 'refused', reason: 'device_gone (400)' },
    ],
  });
  expect(push).toMatchObject({
    device: token,
    headers: {
      'apns-topic': 'com.example.shop.push-type.liveactivity',
      'apns-push-type': 'liveactivity',
      'apns-priority': '10',
    },
    payload: {
      aps: { event: 'update', 'content-state': { score: '1:0' }, 'stale-date': 1_893_456_060, alert },
    },
  });
  const { body } = await system.caller.get('/messages/live_activity/match-17?app_id=demo-app');
  expect(body).toMatchObject({ state: 'active', devices: [{ state: 'sent' }] });
});

it('the end is sent with its date, and is the last that is sent', async () => {
  const ended = await update({
    content_state: { score: '1:0' },
    end_activity: true,
    dismissal_date: '2020-01-01T00:00:00Z',
  });
  expect(await outcomeOf(ended)).toMatchObject({ devices: [{ state: 'sent' }] });
  expect(got().at(-1)).toMatchObject({
    headers: { 'apns-priority': '5' },
    payload: { aps: { event: 'end', 'dismissal-date': 1_577_836_800 } },
  });
  expect(await outcomeOf(await update({ content_state: { score: '2:0' } }))).toMatchObject({
    reason: 'ignored:ended',
  });
  expect(await outcomeOf(await update({ activity_id: 'none', content_state: {} }))).toMatchObject({
    reason: 'ignored:no_such_activity',
  });
});

it('a crowd gets each update by one push to its broadcast channel', async () => {
  const of = { activity_id: 'final' };
  const registered = await system.insist((caller) =>
    caller.post('/messages/live_activity/register').send({ ...named, ...of, channel_id: channel }),
  );
  expect(registered).toMatchObject({ status: 201 });
  const answered = await update({ ...of, content_state: { score: '0:1' } });
  const { devices } = await outcomeOf(answered);
  const [push] = broadcasts();
  const id = push?.headers['apns-request-id'];
  expect(devices).toEqual([{ device: '...Y2hubA==', channel: true, state: 'sent', id }]);
  await outcomeOf(await update({ ...of, content_state: { score: '0:1' }, end_activity: true }));
  expect(broadcasts().map(({ payload: { aps } }) => aps)).toMatchObject([
    { event: 'update', 'content-state': { score: '0:1' } },
    { event: 'end' },
  ]);
  expect(push?.channel).toBe(channel);
});

it('a start reaches the devices that can start an activity of its type', async () => {
  const app_id = 'demo-app';
  await system.track({
    attributes: [
      {
        external_id: 'ada',
        push_tokens: [
          { app_id, token },
          { app_id, token: '4bf2a7c19d0e83f6'.repeat(4), activity_attributes_type: 'Match' },
        ],
      },
    ],
  });
  const start = {
    ...named,
    activity_attributes_type: 'Match',
    activity_attributes: { home: 'Ada FC' },
    content_state: { score: '0:0' },
    notification: { alert: { title: 'Kick-off', body: 'Ada FC' } },
    external_user_ids: ['ada'],
  };
  const { status, body } = await system.insist((caller) =>
    caller.post('/messages/live_activity/start').send(start),
  );
  expect(status).toBe(201);
  await until(async () => {
    const sends = await system.caller.get(`/sends/${body.dispatch_id}`);
    const [row] = (sends.body.recipients ?? []) as { channel: string; state: string }[];
    return row?.channel === 'live_activity' && row.state === 'sent';
  });
  expect(got().at(-1)).toMatchObject({
    device: '4bf2a7c19d0e83f6'.repeat(4),
    headers: { 'apns-topic': 'com.example.shop.push-type.liveactivity', 'apns-priority': '10' },
    payload: {
      aps: {
        event: 'start',
        'attributes-type': 'Match',
        attributes: { home: 'Ada FC' },
        'content-state': { score: '0:0' },
      },
    },
  });
});

it('errors are told in the words that clients know', async () => {
  await system.caller.post('/messages/live_activity/update').type('json').send('{').expect(400, {
    error:
      "\nProblem:\n  message body does not match declared format\nResolution:\n  when specifying application/json as content-type, you must pass valid application/json in the request's 'body' ",
  });
  const wrong = await update({ app_id: 'elsewhere', content_state: {} });
  const error = 'app_id must be an app of the workspace';
  expect([wrong.status, wrong.body]).toEqual([400, { error, message: error, code: 'ACTIVITY_INVALID' }]);
  const { key, record } = createKey({ ws: system.ws, name: 'none', permissions: [], pepper: secret });
  await publishKey(system.redis, record);
  const headers = { authorization: `Bearer ${key}` };
  const body = { ...named, content_state: {} };
  const denied = await system.caller
    .post('/messages/live_activity/update')
    .send(body)
    .set(headers)
    .expect(403);
  expect(denied.body.error).toBe('Access Denied');
});
