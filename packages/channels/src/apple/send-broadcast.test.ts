/** Updates of live activities to broadcast channels. */
import { openNames } from '@roster/names';
import { appleKey, openApns } from '@roster/testkit';
import { openChannels } from '../channels.ts';
import { openSessions } from '../http/sessions.ts';
import { createKept } from '../kept.ts';
import { createPauses } from '../pauses.ts';
import { createProofs } from '../proofs.ts';
import { broadcastIn, liveIn } from './apple-message.ts';
import { sendApple, toChannel } from './send-apple.ts';

const id = 'dHN0LXNyY2gtY2hubA==';
const storing = 'c3RvcmluZy1jaGFubmVs';

let apns: Awaited<ReturnType<typeof openApns>>;
let sessions: ReturnType<typeof openSessions>;
let clock: number;
let tools: Parameters<typeof sendApple>[3];
beforeEach(async () => {
  clock = Date.now();
  apns = await openApns();
  apns.state.now = () => clock;
  apns.state.channels.set(id, 0).set(storing, 1);
  sessions = openSessions(openNames());
  tools = {
    sessions,
    tokens: createKept<string>(),
    keyPauses: createPauses(),
    devicePauses: createPauses(),
    proofs: createProofs(),
    timeoutMs: 60_000,
    now: () => clock,
  };
});
afterEach(() => {
  sessions.close();
  apns.close();
});

const update = { event: 'update', timestamp: 1_900_000_000, content_state: { score: '1:0' } };

const outgoing = (content: object, to: string) => ({ id: 'r1/x', to, content: { ...update, ...content } });

const send = (content: object = {}, to = id, credentials: object = {}) => {
  const message = outgoing(content, to);
  return sendApple(
    message,
    broadcastIn(message),
    { ...appleKey, url: apns.url, ...credentials },
    tools,
    toChannel,
  );
};

const toDevice = () => {
  const message = outgoing({}, 'a1'.repeat(32));
  return sendApple(message, liveIn(message), { ...appleKey, url: apns.url }, tools);
};

const refuse = (status: number, word: string): void => {
  apns.state.answer = (stream) => apns.refuse(stream, [status, word]);
};

it('an update is one push to the channel, with the headers of a broadcast and no topic', async () => {
  const more = { stale_date: 1_900_000_600, priority: 10, alert: { title: 'Goal', title_loc_key: 'k' } };
  const answer = await send(more);
  const [push] = apns.broadcasts;
  expect(answer).toEqual({ state: 'sent', id: push?.headers['apns-request-id'] });
  expect(push).toMatchObject({
    channel: id,
    headers: {
      ':path': '/4/broadcasts/apps/com.example.shop',
      'apns-push-type': 'liveactivity',
      'apns-priority': '10',
      'apns-expiration': '0',
    },
  });
  expect(push?.headers).not.toHaveProperty('apns-topic');
  expect(push?.headers).not.toHaveProperty('apns-id');
  expect(push?.payload).toEqual({
    aps: {
      ...{ event: 'update', timestamp: 1_900_000_000, 'content-state': { score: '1:0' } },
      ...{ 'stale-date': 1_900_000_600, alert: { title: 'Goal', 'title-loc-key': 'k' } },
    },
  });
  expect(apns.got).toEqual([]);
});

it('the end has its date, and each try has the same id', async () => {
  const end = { event: 'end', dismissal_date: 1_577_836_800 };
  await send(end);
  await send(end);
  const [first, second] = apns.broadcasts;
  expect(first?.payload.aps).toMatchObject({ event: 'end', 'dismissal-date': 1_577_836_800 });
  expect(second?.headers['apns-request-id']).toBe(first?.headers['apns-request-id']);
});

it('a channel that stores gets an expiration; one that does not takes none', async () => {
  const expiration = 1_900_043_200;
  expect(await send({ expiration }, storing)).toMatchObject({ state: 'sent' });
  expect(apns.broadcasts[0]?.headers['apns-expiration']).toBe('1900043200');
  expect(await send({ expiration })).toEqual({
    state: 'refused',
    reason: 'provider_refused (400)',
    words: 'BadExpirationDate',
  });
});

it('pushes to devices and to channels share one connection and one token', async () => {
  expect([await toDevice(), await send()]).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
  expect([apns.state.connections, apns.state.tokens.size]).toEqual([1, 1]);
});

it('5,120 bytes leave, one more does not', async () => {
  const bytes = (content: object) =>
    Buffer.byteLength(JSON.stringify(broadcastIn(outgoing({ content_state: content }, id)).payload));
  const x = 'x'.repeat(5120 - bytes({ x: '' }));
  expect(await send({ content_state: { x } })).toMatchObject({ state: 'sent' });
  expect(await send({ content_state: { x: `${x}x` } })).toEqual({
    state: 'refused',
    reason: 'message_too_large',
    words: 'the push is larger than 5120 bytes',
  });
  expect(apns.broadcasts).toHaveLength(1);
});

it.each(['', 'a b', '../channels', 'x'.repeat(300), 'a\r\nb: c'])(
  '%j is no channel: nothing leaves',
  async (to) => {
    expect(await send({}, to)).toMatchObject({
      state: 'refused',
      reason: 'device_gone',
      words: 'the id is not one of a broadcast channel',
    });
    expect(apns.state.connections).toBe(0);
  },
);

it.each<[number, string, object]>([
  [400, 'BadExpirationDate', { state: 'refused', reason: 'provider_refused (400)' }],
  [400, 'BadPriority', { state: 'refused', reason: 'provider_refused (400)' }],
  [400, 'MissingChannelId', { state: 'refused', reason: 'provider_refused (400)' }],
  [400, 'InvalidPushType', { state: 'refused', reason: 'provider_refused (400)' }],
  [400, 'PayloadEmpty', { state: 'refused', reason: 'provider_refused (400)' }],
  [403, 'FeatureNotEnabled', { state: 'later', reason: 'credentials_refused (403)' }],
  [403, 'InvalidProviderToken', { state: 'later', reason: 'credentials_refused (403)' }],
  [403, 'TopicMismatch', { state: 'refused', reason: 'channel_mismatch (403)' }],
  [404, 'BadPath', { state: 'refused', reason: 'provider_refused (404)' }],
  [405, 'MethodNotAllowed', { state: 'refused', reason: 'provider_refused (405)' }],
  [413, 'PayloadTooLarge', { state: 'refused', reason: 'message_too_large (413)' }],
  [429, 'TooManyRequests', { state: 'later', reason: 'rate_limited (429)' }],
  [500, 'InternalServerError', { state: 'later', reason: 'provider_unavailable (500)' }],
  [503, 'ServiceUnavailable', { state: 'later', reason: 'provider_unavailable (503)' }],
])('an answer of %s %s costs no channel', async (status, word, wanted) => {
  refuse(status, word);
  expect(await send()).toEqual({ ...wanted, words: word });
});

it('a channel that had too many pushes has a pause, and others go on', async () => {
  refuse(429, 'TooManyRequests');
  await send();
  delete apns.state.answer;
  const words = 'APNs wants a pause of this channel';
  const pause = { state: 'later', unbegun: true, reason: 'rate_limited', words, afterMs: 60_000 };
  expect(await send()).toEqual(pause);
  expect([await send({}, storing), await toDevice()]).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
  clock += 60_000;
  expect(await send()).toMatchObject({ state: 'sent' });
});

describe.each([
  ['BadChannelId', 400],
  ['ChannelNotRegistered', 404],
])('%s', (word, status) => {
  const lost = async (credentials = {}) => {
    refuse(status, word);
    const answer = await send({}, id, credentials);
    delete apns.state.answer;
    expect(answer).toMatchObject({ state: 'refused', reason: `device_gone (${status})`, words: word });
    return answer.state === 'refused' ? answer.gone : undefined;
  };

  it.each([
    ['to another channel', () => send({}, storing)],
    ['to a device', toDevice],
  ])('is believed once APNs took a push %s of the same app', async (_, push) => {
    const gone = await lost();
    // The environment may be another one: production, or sandbox.
    expect(gone?.isSure?.()).toBe(false);
    await push();
    expect(gone?.isSure?.()).toBe(true);
    expect((await lost({ topic: 'com.example.shob' }))?.isSure?.()).toBe(false);
  });

  it('is about the time when the push began', async () => {
    expect((await lost())?.since).toBe(clock);
  });
});

it('a channel whose answer is lost is unknown; a farewell sends what was not seen over the next connection', async () => {
  apns.state.answer = (_, session) => session.destroy();
  expect(await send()).toMatchObject({ state: 'unknown' });
  delete apns.state.answer;
  let isFirst = true;
  apns.state.onSession = (session) => {
    if (isFirst) session.goaway(0, 0);
    isFirst = false;
  };
  expect(await send()).toMatchObject({ state: 'sent' });
  expect([apns.broadcasts.length, isFirst]).toEqual([1, false]);
});

it('only what the sender marks as a broadcast is one: a token that looks like a channel is a bad token', async () => {
  const channels = openChannels();
  const credentials = { ...appleKey, url: apns.url };
  const message = outgoing({ app_id: 'shop' }, id);
  expect(await channels.send('live_activity', credentials, message)).toMatchObject({
    state: 'refused',
    words: 'the token is not one of an Apple device',
  });
  const marked = { ...message, content: { ...message.content, broadcast: true } };
  expect(await channels.send('live_activity', credentials, marked)).toMatchObject({ state: 'sent' });
  expect(apns.broadcasts[0]?.payload.aps).not.toHaveProperty('broadcast');
  await channels.close();
});
