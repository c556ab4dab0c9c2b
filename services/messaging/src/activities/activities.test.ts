import type { Answer, Channels } from '@roster/channels';
import { createSignal, until } from '@roster/testkit';
import { handWith } from '../sending/testbed.ts';
import { useTestbed } from '../testbed.ts';
import { startActivities } from './start-activities.ts';

const { store, test: bed } = useTestbed();

const ws = 'demo';
const token = (n: number): string => n.toString(16).padStart(64, '0');
const key = { file: 'key.p8' };
const ios_push = { key, key_id: 'ABC123DEFG', team_id: 'DEF123GHIJ', topic: 'com.example.shop' };
const putApp = (id: string, channels: object = { ios_push }) =>
  store.workspaces.put({ id, name: 'Demo', apps: [{ id: 'shop', name: 'Shop', channels }] });
beforeEach(() => putApp(ws));
afterEach(() => store.workspaces.put({ id: ws, name: 'Demo' }));

let stamp = 1_900_000_000_000_000;
const named = { app_id: 'shop', activity_id: 'match' };
const register = (n: number, more: object = {}) =>
  bed.send('messages.live_activity.register', { ...named, push_token: token(n), ...more });
/** Answers with its stamp, by which the outcome is found. */
const update = async (minute: number, more: object = {}, given?: number) => {
  stamp += 1_000_000;
  const at = given ?? stamp;
  const body = { ...named, content_state: { minute }, ...more };
  return { ...(await bed.send('messages.live_activity.update', body, { at })), at };
};

const outcomeOf = async (at: number) => {
  const mark = await store.requests.findOne({ at });
  return { reason: mark?.reason, devices: JSON.parse(mark?.answer?.body ?? '{}').devices };
};
const devicesOf = async (at: number) => (await outcomeOf(at)).devices;
const sentToFirst = [{ device: '...00000001', state: 'sent', id: 'x' }];
const read = async () => {
  const of = { params: { activity_id: 'match' }, query: { app_id: 'shop' } };
  return (await bed.send('messages.live_activity.get', undefined, of)).body;
};

interface Got {
  id: string;
  to: string;
  minute: number;
  content: { readonly [name: string]: unknown };
}

const started: { stop(): Promise<void> }[] = [];
afterEach(() => Promise.all(started.splice(0).map((one) => one.stop())));

const start = (answer: (got: Got) => Answer | Promise<Answer>, more: { beginsWithinMs?: number } = {}) => {
  const got: Got[] = [];
  const errors: unknown[] = [];
  const states: string[] = [];
  const send = async (_channel: string, _credentials: unknown, message: Omit<Got, 'minute'>) => {
    const { id, to, content } = message;
    const one = { id, to, minute: (content.content_state as { minute: number }).minute, content };
    got.push(one);
    return answer(one);
  };
  const activities = startActivities({
    store,
    hand: handWith(store, { send } as Pick<Channels, 'send'>, async () => 'a key'),
    onTold: (state) => states.push(state),
    onError: (error) => errors.push(error),
    ...more,
  });
  started.push(activities);
  return { ...activities, got, errors, states };
};

const isDone = async () => (await store.messages.activities.countDocuments({ due: { $exists: true } })) === 0;

/** Sends all that waits, with this answer to each. */
const sendAll = async (answer: Parameters<typeof start>[0]) => {
  const { got, errors, states } = start(answer);
  await until(isDone);
  expect(errors).toEqual([]);
  return { got, states };
};

const sent = (): Answer => ({ state: 'sent', id: 'x' });

test('an update goes to every device that registered, and the request tells what became of it', async () => {
  for (const n of [1, 2]) expect(await register(n)).toEqual({ status: 201, body: { message: 'success' } });
  const { at, ...answer } = await update(17);
  expect(answer).toEqual({ status: 201, body: { message: 'success' } });
  const { got } = await sendAll(({ to }) =>
    to === token(1) ? sent() : { state: 'refused', reason: 'device_gone (400)', gone: {} },
  );
  expect(got.map(({ minute }) => minute)).toEqual([17, 17]);
  expect(await devicesOf(at)).toEqual([
    { device: '...00000001', state: 'sent', id: 'x' },
    { device: '...00000002', state: 'refused', reason: 'device_gone (400)' },
  ]);
  // The dead one gets no other update.
  await update(18);
  await until(isDone);
  expect(got.map(({ to }) => to).toSorted()).toEqual([token(1), token(1), token(2)]);
  expect(got.at(-1)?.to).toBe(token(1));
});

test('a pause that APNs wants costs no try, and the device gets the update after it', async () => {
  for (const n of [1, 2]) await register(n);
  const { at } = await update(17);
  let left = 8;
  const { got } = await sendAll(({ to }) => {
    if (to === token(1)) return sent();
    left -= 1;
    return left < 0 ? sent() : { state: 'later', reason: 'rate_limited', afterMs: 1, unbegun: true };
  });
  expect(got).toHaveLength(10);
  expect(await devicesOf(at)).toEqual([
    { device: '...00000001', state: 'sent', id: 'x' },
    { device: '...00000002', state: 'sent', id: 'x' },
  ]);
});

test('a pause costs a try each time once no activity can live any more', async () => {
  await register(1);
  const { at } = await update(17, {}, (Date.now() - 12 * 3_600_000) * 1000);
  await until(() => store.messages.activities.findOne({ due: { $exists: true } }));
  const { got } = start(() => ({ state: 'later', reason: 'rate_limited', afterMs: 1, unbegun: true }));
  for (let n = 1; n <= 6; n++) {
    await until(() => got.length === n);
    await until(
      async () =>
        (await isDone()) ||
        store.messages.activities.findOne({ 'update.tries': n, busy: { $exists: false } }),
    );
    await store.messages.activities.updateMany({ due: { $exists: true } }, { $set: { due: new Date() } });
  }
  await until(isDone);
  expect(await devicesOf(at)).toEqual([
    { device: '...00000001', state: 'refused', reason: 'given up after 6 tries: rate_limited' },
  ]);
});

test('an update of an activity that nobody registered comes to nothing, and says so', async () => {
  const { at, status, body } = await update(1);
  expect([status, body]).toEqual([201, { message: 'success' }]);
  expect(await outcomeOf(at)).toEqual({ reason: 'ignored:no_such_activity', devices: undefined });
  expect(await read()).toEqual({
    error: 'There is no such live activity',
    message: 'There is no such live activity',
    code: 'ACTIVITY_UNKNOWN',
  });
});

test('after its end an activity has no other update, until it is registered again', async () => {
  await register(1);
  const end = await update(90, { end_activity: true });
  const after = await update(91);
  expect(await outcomeOf(after.at)).toEqual({ reason: 'ignored:ended', devices: undefined });
  const { got } = await sendAll(sent);
  expect(got.map(({ minute }) => minute)).toEqual([90]);
  expect((await outcomeOf(end.at)).reason).toBeUndefined();
  expect(await read()).toMatchObject({ state: 'ended', update: { content_state: { minute: 90 } } });
  await register(2);
  expect(await read()).toEqual({
    ...named,
    state: 'active',
    devices: [{ device: '...00000002', state: 'waiting' }],
    message: 'success',
  });
  await update(1);
  await until(isDone);
  expect(got.slice(1).map(({ to, minute }) => [to, minute])).toEqual([[token(2), 1]]);
});

describe('an end that is applied after an update that was accepted later', () => {
  const contentOf = ({ content }: Got) => [content.event, content.timestamp];
  const seconds = (at: number): number => Math.floor(at / 1_000_000);

  it('wins over an update that waits', async () => {
    await register(1);
    const before = await update(88);
    const after = await update(91);
    const end = await update(90, { end_activity: true }, after.at - 500_000);
    const late = await update(89, {}, before.at + 1);
    const { got } = await sendAll(sent);
    expect(got.map(contentOf)).toEqual([['end', seconds(after.at)]]);
    expect(await outcomeOf(end.at)).toEqual({ reason: undefined, devices: sentToFirst });
    const devices = [{ device: '...00000001', state: 'superseded' }];
    expect(await outcomeOf(after.at)).toEqual({ reason: 'ignored:ended', devices });
    expect(await outcomeOf(before.at)).toEqual({ reason: 'superseded', devices });
    expect(await outcomeOf(late.at)).toEqual({ reason: 'superseded', devices });
    expect((await outcomeOf((await update(92)).at)).reason).toBe('ignored:ended');
    expect((await outcomeOf((await update(93, { end_activity: true })).at)).reason).toBe('ignored:ended');
  });

  it.each(['is sent', 'is being sent'])('comes after one that %s, and devices take it', async (how) => {
    for (const n of [1, 2]) await register(n);
    const after = await update(91);
    const go = createSignal();
    const { got } = start(async ({ to, content }) => {
      if (content.event === 'update') await go.given;
      if (content.event === 'update' && to === token(2)) return { state: 'later', reason: 'busy' };
      return sent();
    });
    await until(() => got.length === 2);
    if (how === 'is sent') {
      go.give();
      await until(async () => (await store.messages.activities.findOne({}))?.update?.tries === 1);
    }
    await update(90, { end_activity: true }, after.at - 2_500_000);
    go.give();
    await until(isDone);
    const last = ['end', seconds(after.at)];
    expect(got.slice(-2).map(contentOf)).toEqual([last, last]);
    expect(await outcomeOf(after.at)).toMatchObject({ reason: 'ignored:ended' });
  });

  it('is sent in every order of 30 races', async () => {
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const of = { activity_id: `race ${n}` };
        await register(n, of);
        const [first, last] = [update(n, of), update(n, { ...of, end_activity: true })];
        await Promise.all(n % 2 ? [last, first] : [first, last]);
      }),
    );
    const { got } = await sendAll(sent);
    const ended = got.filter(({ content }) => content.event === 'end').map(({ to }) => to);
    expect(new Set(ended).size).toBe(30);
  });
});

test('an end whose answer was lost is sent again, with the same id and timestamp; an update is not', async () => {
  await register(1);
  await update(89);
  const lost: Answer = { state: 'unknown', reason: 'connection_lost' };
  const answers = [lost, lost];
  const { got } = await sendAll(() => answers.shift() ?? sent());
  expect(got).toHaveLength(1);
  const end = await update(90, { end_activity: true });
  await until(isDone);
  expect(got).toHaveLength(3);
  expect(got[2]).toEqual(got[1]);
  expect(await outcomeOf(end.at)).toEqual({ reason: undefined, devices: sentToFirst });
});

test('a device that registers while the end is not sent yet begins anew, and the others get the end', async () => {
  await register(1);
  const end = await update(90, { end_activity: true });
  await register(2);
  const next = await update(1);
  const { got } = await sendAll(sent);
  expect(got.map(({ to, content }) => [to, content.event]).toSorted()).toEqual([
    [token(1), 'end'],
    [token(2), 'update'],
  ]);
  expect(await devicesOf(end.at)).toEqual(sentToFirst);
  expect(await devicesOf(next.at)).toEqual([{ device: '...00000002', state: 'sent', id: 'x' }]);
});

test('an activity is shown with its newest update, and what became of that', async () => {
  for (const n of [1, 2]) await register(n);
  const { at } = await update(7);
  await sendAll(({ to }) =>
    to === token(1) ? sent() : { state: 'refused', reason: 'provider_refused (413)' },
  );
  expect(await read()).toEqual({
    ...named,
    state: 'active',
    update: {
      request_id: `r${at.toString(36)}-00000000`,
      accepted_at: new Date(at / 1000).toISOString(),
      content_state: { minute: 7 },
    },
    devices: [
      { device: '...00000001', state: 'sent', id: 'x' },
      { device: '...00000002', state: 'refused', reason: 'provider_refused (413)' },
    ],
    message: 'success',
  });
});

test('a device that registered again since APNs lost it is kept', async () => {
  for (const n of [1, 2]) await register(n);
  await update(1);
  const { got } = await sendAll(({ to }) => ({
    state: 'refused',
    reason: 'device_gone (410)',
    gone: { since: to === token(1) ? 1_000 : Date.now() + 60_000 },
  }));
  await update(2);
  await until(isDone);
  expect(got.filter(({ minute }) => minute === 2).map(({ to }) => to)).toEqual([token(1)]);
});

test('of updates that wait the latest is sent, and the others are told that it came first', async () => {
  await register(1);
  const first = await update(1);
  const second = await update(2);
  const late = await update(0, {}, first.at - 1);
  const { got } = await sendAll(sent);
  expect(got.map(({ minute }) => minute)).toEqual([2]);
  const devices = [{ device: '...00000001', state: 'superseded' }];
  const superseded = { reason: 'superseded', devices };
  expect(await outcomeOf(first.at)).toEqual(superseded);
  expect(await outcomeOf(late.at)).toEqual(superseded);
  expect(await devicesOf(second.at)).toEqual(sentToFirst);
});

test('a later update waits for the one that is being sent, and comes after it', async () => {
  await register(1);
  const first = await update(1);
  const go = createSignal();
  const { got } = start(async ({ minute }) => {
    if (minute === 1) await go.given;
    return sent();
  });
  await until(() => got.length === 1);
  await update(2);
  // A stranger's activity is looked for, and sent, meanwhile.
  await register(3, { activity_id: 'other' });
  await update(5, { activity_id: 'other' });
  await until(() => got.length === 2);
  expect(got.map(({ minute }) => minute)).toEqual([1, 5]);
  go.give();
  await until(isDone);
  expect(got.map(({ minute }) => minute)).toEqual([1, 5, 2]);
  expect(Number(got[2]?.content.timestamp) - Number(got[0]?.content.timestamp)).toBe(1);
  expect(await outcomeOf(first.at)).toEqual({ reason: undefined, devices: sentToFirst });
});

test('a device that is busy is tried again, and those that have it are not', async () => {
  for (const n of [1, 2]) await register(n);
  const { at } = await update(1);
  let n = 0;
  const { got, states } = await sendAll(({ to }) =>
    to === token(2) && n++ === 0 ? { state: 'later', reason: 'busy' } : sent(),
  );
  expect(states).toEqual(['sent', 'waiting', 'sent']);
  expect(got.map(({ to }) => to).toSorted()).toEqual([token(1), token(2), token(2)]);
  expect(got.at(-1)?.to).toBe(token(2));
  expect(await devicesOf(at)).toHaveLength(2);
});

test('what a process was sending when it died is sent by another one', async () => {
  await register(1);
  await update(1);
  const { activities } = store.messages;
  await activities.updateMany({}, { $set: { busy: new Date(Date.now() + 600_000) } });
  await register(2, { activity_id: 'other' });
  await update(2, { activity_id: 'other' });
  const { got } = start(sent);
  await until(() => got.length === 1);
  expect(got.map(({ minute }) => minute)).toEqual([2]);
  // Its time is over.
  const ofTheDead = { busy: { $gt: new Date(Date.now() + 300_000) } };
  await activities.updateMany(ofTheDead, { $set: { busy: new Date(0) } });
  await until(isDone);
  expect(got.map(({ minute }) => minute)).toEqual([2, 1]);
});

describe('a process that is too slow', () => {
  const takenByAnother = () =>
    store.messages.activities.updateMany({}, { $set: { busy: new Date(Date.now() + 600_000) } });

  it('sends nothing: another one may have gone on', async () => {
    await register(1);
    const { at } = await update(1);
    const slow = start(sent, { beginsWithinMs: 0 });
    await until(() => slow.states.length > 0);
    await slow.stop();
    expect(slow.states).toEqual(['waiting']);
    await store.messages.activities.updateMany({}, { $set: { due: new Date(0) } });
    const { got } = await sendAll(sent);
    expect([slow.got, got]).toMatchObject([[], [{ minute: 1 }]]);
    expect(await devicesOf(at)).toEqual(sentToFirst);
  });

  it('leaves the activity to the one that has taken it', async () => {
    await register(1);
    const { at } = await update(1);
    const slow = start(async () => {
      await takenByAnother();
      return sent();
    });
    await until(() => slow.got.length === 1);
    await slow.stop();
    expect(await store.messages.activities.findOne({})).toMatchObject({
      busy: expect.any(Date),
      due: expect.any(Date),
      update: { tries: 0, done: '[]' },
    });
    expect(await devicesOf(at)).toBeUndefined();
  });

  it('tells of an earlier update, and lets nobody begin the later one twice', async () => {
    await register(1);
    const first = await update(1);
    const slow = start(async ({ minute }) => {
      if (minute === 1) {
        await takenByAnother();
        await update(2);
      }
      return sent();
    });
    await until(() => slow.got.length === 1);
    await slow.stop();
    expect(await store.messages.activities.countDocuments({ busy: { $gt: new Date() } })).toBe(1);
    expect(await devicesOf(first.at)).toEqual(sentToFirst);
  });
});

test('an app without credentials says so', async () => {
  await register(1);
  const { at } = await update(1);
  await putApp(ws, {});
  const { got } = await sendAll(sent);
  expect(got).toEqual([]);
  expect(await devicesOf(at)).toEqual([
    { device: '...00000001', state: 'refused', reason: 'no_credentials' },
  ]);
});

test('a workspace with many slow activities does not hold up another one', async () => {
  const put = (of: string, activity: string) =>
    store.messages.activities.insertOne({
      _id: `${of}/${activity}`,
      ws: of,
      app: 'shop',
      devices: [{ token: token(1), since: new Date() }],
      update: { request: `${of} ${activity}`, at: 1, content: '{"content_state":{}}', tries: 0, done: '[]' },
      due: new Date(of === ws ? Date.now() : 0),
      expires: new Date(Date.now() + 60_000),
    });
  await putApp('loud');
  for (let n = 0; n < 100; n++) await put('loud', `${n}`);
  await put(ws, 'quiet');
  const go = createSignal();
  const { got } = start(async ({ id }) => {
    if (id.startsWith('loud')) await go.given;
    return sent();
  });
  await until(
    async () => (await store.messages.activities.countDocuments({ ws, due: { $exists: false } })) === 1,
  );
  expect(got).toHaveLength(33);
  go.give();
  await until(isDone);
});

test('100 devices show an activity: of more the latest', async () => {
  const { activities } = store.messages;
  await register(0);
  const all = Array.from({ length: 100 }, (_, n) => ({ token: token(n), since: new Date() }));
  await activities.updateOne({}, { $set: { devices: all } });
  await register(7);
  await register(100);
  const tokens = (await activities.findOne({}))?.devices.map((one) => one.token);
  const left = all.map((one) => one.token).filter((one) => ![token(0), token(7)].includes(one));
  expect(tokens).toEqual([...left, token(7), token(100)]);
});

const channel = 'dHN0LXNyY2gtY2hubA==';
const registerChannel = (more: object = {}) =>
  bed.send('messages.live_activity.register', { ...named, channel_id: channel, ...more });
const shownChannel = { device: '...Y2hubA==', channel: true };

describe('a broadcast channel', () => {
  it('is one push beside those to devices, and one entry of the outcome', async () => {
    expect(await registerChannel()).toEqual({ status: 201, body: { message: 'success' } });
    await register(1);
    expect((await read()).devices).toEqual([
      { ...shownChannel, state: 'waiting' },
      { device: '...00000001', state: 'waiting' },
    ]);
    const { at } = await update(17);
    const { got, states } = await sendAll(sent);
    const marks = got.map(({ to, content }) => [to, content.broadcast, content.expiration]);
    // Both are under way at once.
    expect(marks.toSorted()).toEqual([
      [token(1), undefined, undefined],
      [channel, true, 0],
    ]);
    expect(states).toEqual(['sent', 'sent']);
    const devices = [{ ...shownChannel, state: 'sent', id: 'x' }, ...sentToFirst];
    expect(await devicesOf(at)).toEqual(devices);
    expect((await read()).devices).toEqual(devices);
  });

  it('that stores keeps an update as long as an activity lives, until the same time in each try', async () => {
    await registerChannel({ channel_stores: true });
    const { at } = await update(17);
    const answers: Answer[] = [{ state: 'later', reason: 'busy' }];
    const { got } = await sendAll(() => answers.shift() ?? sent());
    const expiration = Math.floor(at / 1_000_000) + 12 * 3_600;
    expect(got.map(({ content }) => content.expiration)).toEqual([expiration, expiration]);
    expect(got[1]).toEqual(got[0]);
  });

  it('registered again changes whether it stores, and is one', async () => {
    await registerChannel();
    await registerChannel({ channel_stores: true });
    expect((await store.messages.activities.findOne({}))?.devices).toMatchObject([
      { token: channel, channel: 'storing' },
    ]);
  });

  it('stays however many devices register; of more than 10 the latest stay', async () => {
    const { activities } = store.messages;
    await registerChannel();
    const all = Array.from({ length: 100 }, (_, n) => ({ token: token(n), since: new Date() }));
    await activities.updateOne({}, { $push: { devices: { $each: all } } });
    await register(100);
    const idOf = (n: number) => `YQ${String(n).padStart(2, '0')}`;
    for (let n = 1; n < 10; n++) await registerChannel({ channel_id: idOf(n) });
    const tokens = async () => (await activities.findOne({}))?.devices.map((one) => one.token) ?? [];
    expect((await tokens()).slice(0, 2)).toEqual([channel, token(1)]);
    expect(await tokens()).toHaveLength(110);
    await registerChannel({ channel_id: idOf(10) });
    expect(await tokens()).toHaveLength(110);
    expect(await tokens()).not.toContain(channel);
  });

  it('whose end has no answer gets it again with the same id; of an update it is unknown', async () => {
    await registerChannel();
    const lost: Answer = { state: 'unknown', reason: 'connection_lost' };
    const first = await update(89);
    const answers = [lost, lost];
    const { got } = await sendAll(() => answers.shift() ?? sent());
    expect(await devicesOf(first.at)).toEqual([
      { ...shownChannel, state: 'unknown', reason: 'connection_lost' },
    ]);
    const end = await update(90, { end_activity: true });
    await until(isDone);
    expect(got.map(({ content }) => content.event)).toEqual(['update', 'end', 'end']);
    expect(got[2]).toEqual(got[1]);
    expect(await devicesOf(end.at)).toEqual([{ ...shownChannel, state: 'sent', id: 'x' }]);
    expect((await outcomeOf((await update(91)).at)).reason).toBe('ignored:ended');
  });

  it('gets the newest update alone, and a pause costs it no try', async () => {
    await registerChannel();
    const first = await update(1);
    await update(2);
    let left = 8;
    const { got } = await sendAll(() => {
      left -= 1;
      return left < 0 ? sent() : { state: 'later', reason: 'rate_limited', afterMs: 1, unbegun: true };
    });
    expect(new Set(got.map(({ minute }) => minute))).toEqual(new Set([2]));
    expect(got).toHaveLength(9);
    const superseded = [{ ...shownChannel, state: 'superseded' }];
    expect(await outcomeOf(first.at)).toEqual({ reason: 'superseded', devices: superseded });
  });

  it.each([
    ['leaves the activity when APNs is sure not to know it', true, -60_000, 0],
    ['stays while APNs may be the wrong one', false, -60_000, 1],
    ['stays when it was registered since the push', true, 60_000, 1],
  ])('%s', async (_, isSure, sinceMs, left) => {
    await registerChannel();
    await store.messages.activities.updateOne(
      {},
      { $set: { 'devices.0.since': new Date(Date.now() + sinceMs) } },
    );
    const { at } = await update(1);
    const gone = { since: Date.now(), isSure: () => isSure };
    await sendAll(() => ({ state: 'refused', reason: 'device_gone (404)', gone }));
    expect(await devicesOf(at)).toEqual([{ ...shownChannel, state: 'refused', reason: 'device_gone (404)' }]);
    expect((await store.messages.activities.findOne({}))?.devices).toHaveLength(left);
  });

  it('is also what an ended activity begins anew with, and the devices before get the end', async () => {
    await register(1);
    await update(90, { end_activity: true });
    await registerChannel();
    await update(1);
    const { got } = await sendAll(sent);
    expect(got.map(({ to, content }) => [to, content.event]).toSorted()).toEqual([
      [token(1), 'end'],
      [channel, 'update'],
    ]);
  });
});

const oneAddress = 'exactly one is required: push_token or channel_id';

test.each([
  ['both', { channel_id: channel, push_token: token(1) }, oneAddress],
  ['none', {}, oneAddress],
  [
    'a token that stores',
    { push_token: token(1), channel_stores: true },
    'channel_stores goes with a channel_id',
  ],
  ['no base64', { channel_id: 'a-b_' }, /channel_id/],
  ['base64 that is cut', { channel_id: 'dHN0LXNyY2gtY2hubA' }, /channel_id/],
  ['base64 that is too long', { channel_id: 'YWFh'.repeat(65) }, /channel_id/],
])('a registration with %s is refused', async (_, more, message) => {
  const { status, body } = await bed.send('messages.live_activity.register', { ...named, ...more });
  expect([status, body]).toMatchObject([400, { message: expect.stringMatching(message) }]);
});

test('a channel id may have 256 characters', async () => {
  expect((await registerChannel({ channel_id: 'YWFh'.repeat(64) })).status).toBe(201);
});

test('20,000 activities are registered in a workspace, and not one more', async () => {
  const { activities } = store.messages;
  const expires = new Date(Date.now() + 60_000);
  await activities.insertMany(
    Array.from({ length: 20_000 }, (_, n) => ({ _id: `many/${n}`, ws, app: 'shop', devices: [], expires })),
  );
  const full = 'The workspace has as many live activities as it may have';
  expect(await register(1)).toEqual({
    status: 400,
    body: { error: full, message: full, code: 'ACTIVITIES_FULL' },
  });
  await activities.deleteOne({ _id: 'many/7' });
  expect((await register(1)).status).toBe(201);
  expect((await register(2)).status).toBe(201);
});

test.each([
  ['an app of another workspace', { app_id: 'nowhere' }, 'app_id must be an app of the workspace'],
  ['a date that is none', { dismissal_date: 'soon' }, 'dismissal_date must be a time in ISO 8601'],
  [
    'more than APNs takes',
    { content_state: { x: 'x'.repeat(4096) } },
    'the request must have at most 4,096 bytes as JSON',
  ],
])('%s is refused', async (_, more, message) => {
  const { status, body } = await update(1, more);
  const refused = { error: message, message, code: expect.stringMatching(/^[A-Z_]+$/) };
  expect([status, body]).toEqual([400, refused]);
});

test('the end says what the app shows and when, and is quiet where the app wakes in the background', async () => {
  await register(1);
  const alert = { title: 'The end', body: 'One to nil' };
  const { at } = await update(90, {
    end_activity: true,
    dismissal_date: '2030-01-01T00:00:00Z',
    stale_date: '2030-01-01T00:01:00Z',
    notification: { ios_push: { alert, 'content-available': true } },
  });
  const { got } = await sendAll(sent);
  expect(got[0]?.content).toEqual({
    timestamp: Math.floor(at / 1_000_000),
    event: 'end',
    content_state: { minute: 90 },
    stale_date: 1_893_456_060,
    dismissal_date: 1_893_456_000,
    alert,
    priority: 5,
    app_id: 'shop',
  });
});
