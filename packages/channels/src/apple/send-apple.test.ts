/** Bare sockets are servers that close at once, or say nothing. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { openNames } from '@roster/names';
import { appleKey, listening, openApns, openLine, until } from '@roster/testkit';
import { openSessions, type Sessions } from '../http/sessions.ts';
import { writeWithoutEnd } from '../http/testbed.ts';
import { createKept } from '../kept.ts';
import type { Answer, Leave } from '../outgoing.ts';
import { createPauses } from '../pauses.ts';
import { anyTime } from '../places.ts';
import { createProofs } from '../proofs.ts';
import { appleIn, liveIn } from './apple-message.ts';
import { sendApple } from './send-apple.ts';

const device = 'a1'.repeat(32);

const keptOfAll = () => ({
  tokens: createKept<string>(),
  keyPauses: createPauses(),
  devicePauses: createPauses(),
  proofs: createProofs(),
});

type Apns = Awaited<ReturnType<typeof openApns>>;

let apns: Apns;
let sessions: Sessions;
let kept: ReturnType<typeof keptOfAll>;
let clock: number;
/** Takes so many pushes at once. */
const begin = async (streams?: number): Promise<void> => {
  apns?.close();
  apns = await openApns(streams);
  apns.state.now = () => clock;
};
beforeEach(async () => {
  clock = Date.now();
  sessions = openSessions(openNames());
  kept = keptOfAll();
  await begin();
});
afterEach(() => {
  sessions.close();
  apns.close();
});

/** What a test is not about does not run out on a slow machine. */
const tools = (timeoutMs = 60_000) => ({ ...kept, sessions, timeoutMs, now: () => clock });

interface Sending {
  credentials?: object;
  to?: string;
  id?: string;
  timeoutMs?: number;
  leave?: Leave;
}

const send = (
  content: object = {},
  { credentials = {}, to = device, id = 'r1/x', timeoutMs, leave = anyTime }: Sending = {},
) =>
  sendApple(
    { to, leave },
    liveIn({ id, to: device, content: { event: 'update', ...content } }),
    { ...appleKey, url: apns.url, ...credentials },
    tools(timeoutMs),
  );

const push = (content: object) =>
  sendApple(
    { to: device },
    appleIn({ id: 'd/ios_push/p1/x', to: device, content: { ...content } }),
    { ...appleKey, url: apns.url },
    tools(),
  );

it('a push arrives with all of its members', async () => {
  const buttons = [{ action_id: 'look', action: 'URI', uri: 'https://example.com/look' }];
  const answer = await push({
    alert: { title: 'Sale', body: 'Hello', title_loc_key: 'k', title_loc_args: ['a'], sound: 'bell' },
    badge: 3,
    extra: { a: { b: 1 }, aps: 'forged' },
    'content-available': true,
    interruption_level: 'time-sensitive',
    relevance_score: 0.5,
    expiry: '2030-01-01T00:00:00Z',
    custom_uri: 'https://example.com/sale',
    use_webview: true,
    notification_group_thread_id: 'sales',
    asset_url: 'https://example.com/a.png',
    asset_file_type: 'png',
    collapse_id: 'sale',
    category: 'shop',
    buttons,
    apns_priority: 7,
  });
  const [got] = apns.got;
  expect(answer).toEqual({ state: 'sent', id: got?.headers['apns-id'] });
  expect(got?.payload).toEqual({
    a: { b: 1 },
    aps: {
      alert: { title: 'Sale', body: 'Hello', 'title-loc-key': 'k', 'title-loc-args': ['a'] },
      badge: 3,
      sound: 'bell',
      'content-available': 1,
      'mutable-content': 1,
      'interruption-level': 'time-sensitive',
      'relevance-score': 0.5,
      'thread-id': 'sales',
      category: 'shop',
    },
    roster: {
      id: 'd/ios_push/p1/x',
      uri: 'https://example.com/sale',
      use_webview: true,
      asset: { url: 'https://example.com/a.png', type: 'png' },
      buttons,
    },
  });
  expect(got?.headers).toMatchObject({
    'apns-push-type': 'alert',
    'apns-priority': '10',
    'apns-expiration': '1893456000',
    'apns-collapse-id': 'sale',
    'apns-topic': 'com.example.shop',
  });
});

it('a push that shows nothing goes in the background', async () => {
  expect(await push({ 'content-available': true, apns_priority: 10 })).toMatchObject({ state: 'sent' });
  expect(apns.got[0]?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
});

it.each([
  [1, '1'],
  [2, '5'],
  [5, '5'],
  [6, '10'],
  [10, '10'],
  [undefined, '10'],
])('the priority %s is the next one that APNs knows', async (apns_priority, priority) => {
  expect(await push({ alert: 'x', ...(apns_priority && { apns_priority }) })).toMatchObject({
    state: 'sent',
  });
  expect(apns.got[0]?.headers['apns-priority']).toBe(priority);
});

it.each([
  '2030-01-01T00:00:00Z',
  '2030-01-01',
  '2030-01-01T00:00:00',
  '2030-01-01 02:00:00+02:00',
  '20300101T000000Z',
  '01/01/2030',
  'Tue Jan 01 00:00:00 UTC 2030',
])('the time %s is one of the interface', async (expiry) => {
  await push({ alert: 'x', expiry });
  expect(apns.got[0]?.headers['apns-expiration']).toBe('1893456000');
});

it('what a template has written may be no time, and no text of a header', async () => {
  expect(await push({ alert: 'x', expiry: 'soon' })).toMatchObject({ state: 'sent' });
  expect(apns.got[0]?.headers).not.toHaveProperty('apns-expiration');
  expect(await push({ alert: 'x', collapse_id: 'größer' })).toEqual({
    state: 'refused',
    reason: 'message_invalid',
    words: 'collapse_id has characters that APNs does not take',
  });
});

it('a device that had too many pushes has a pause, and the others do not', async () => {
  apns.state.answer = (stream) => apns.refuse(stream, [429, 'TooManyRequests']);
  const why = { reason: 'rate_limited (429)', words: 'TooManyRequests' };
  expect(await push({ alert: 'x' })).toEqual({ state: 'later', ...why });
  delete apns.state.answer;
  const words = 'APNs wants a pause of this device';
  const pause = { state: 'later', unbegun: true, reason: 'rate_limited', words, afterMs: 60_000 };
  expect(await push({ alert: 'x' })).toEqual(pause);
  expect(await send({}, { to: 'b2'.repeat(32) })).toMatchObject({ state: 'sent' });
  clock += 60_000;
  expect(await push({ alert: 'x' })).toMatchObject({ state: 'sent' });
});

it('a device has a pause of an hour at the most', async () => {
  apns.state.answer = (stream) => {
    stream.respond({ ':status': 429, 'retry-after': '864000' });
    stream.end('{"reason":"TooManyRequests"}');
  };
  await push({ alert: 'x' });
  expect(await push({ alert: 'x' })).toMatchObject({ state: 'later', unbegun: true, afterMs: 3_600_000 });
});

it('a push that finds no room at the server has not been taken', async () => {
  await begin(1);
  let isHeld = false;
  apns.state.answer = () => {
    isHeld = true;
  };
  const first = send();
  await until(() => isHeld);
  const why = { reason: 'provider_unavailable', words: 'no room at the server within 200 ms' };
  expect(await send({}, { timeoutMs: 200 })).toEqual({ state: 'later', ...why });
  const leave = { ws: 'shop', until: performance.now() + 1 };
  expect(await send({}, { leave })).toMatchObject({ state: 'later', unbegun: true });
  sessions.close();
  expect(await first).toMatchObject({ state: 'unknown' });
});

it('has the same id each time it is tried, and another one on another device', async () => {
  for (const id of ['one', 'one', 'two']) await send({}, { id });
  const ids = apns.got.map(({ headers }) => headers['apns-id']);
  // Also after an update of Roster: the next try of a push may be one by another version.
  expect(ids.slice(0, 2)).toEqual(Array(2).fill('7692c3ad-3540-8b80-bc02-0b3aee66cd88'));
  expect(new Set(ids).size).toBe(2);
});

const shown = { timestamp: 1_900_000_000, alert: { title: 'Goal', body: 'One to nil' } };
const later = { stale_date: 1_900_000_600, relevance_score: 75 };

it.each([
  [
    'an update',
    { ...shown, ...later, event: 'update', alert: { ...shown.alert, sound: 'whistle' }, priority: 5 },
    { ...shown, event: 'update', 'stale-date': 1_900_000_600, 'relevance-score': 75, sound: 'whistle' },
  ],
  [
    'a start, with its type and what does not change',
    {
      ...{ ...shown, event: 'start', app_id: 'shop', priority: 10 },
      ...{ activity_attributes_type: 'Match', activity_attributes: { home: 'Ada FC' } },
    },
    { ...shown, event: 'start', 'attributes-type': 'Match', attributes: { home: 'Ada FC' } },
  ],
])('live activities have their own topic, and say what happens when: %s', async (_what, content, aps) => {
  expect(await send({ ...content, content_state: { score: '1:0' } })).toMatchObject({ state: 'sent' });
  const [push] = apns.got;
  expect(push?.headers).toMatchObject({
    'apns-push-type': 'liveactivity',
    'apns-topic': 'com.example.shop.push-type.liveactivity',
    'apns-priority': String(content.priority),
  });
  expect(push?.payload).toEqual({ aps: { ...aps, 'content-state': { score: '1:0' } } });
});

it('a reason that repeats the token of the app has none of it', async () => {
  apns.state.answer = (stream, _, { authorization }) => apns.refuse(stream, [403, `bad ${authorization}`]);
  expect(await send()).toEqual({
    state: 'later',
    reason: 'credentials_refused (403)',
    words: 'bad bearer ***',
  });
});

it('one token serves for 40 minutes', async () => {
  await send();
  clock += 39 * 60_000;
  await send();
  expect(apns.state.tokens.size).toBe(1);
  clock += 60_000;
  // The double takes one token only.
  const why = { reason: 'rate_limited (429)', words: 'TooManyProviderTokenUpdates' };
  expect(await send()).toEqual({ state: 'later', ...why });
  // Then all pushes of the key have a pause.
  const words = 'APNs wants a pause of this key';
  const pause = { state: 'later', unbegun: true, reason: 'rate_limited', words, afterMs: 60_000 };
  expect(await send()).toEqual(pause);
  clock += 60_000;
  expect(await send()).toMatchObject(why);
});

it('a key that is not the right one waits for the right one; a text that is none is told', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(await send({}, { credentials: { key } })).toEqual({
    state: 'later',
    reason: 'credentials_refused (403)',
    words: 'InvalidProviderToken',
  });
  await expect(send({}, { credentials: { key: 'a secret' } })).rejects.toThrow(
    'the key for APNs is not the text of a .p8 file',
  );
});

const maybe = { isSure: expect.any(Function) };

it.each<[number, string, object]>([
  [410, 'Unregistered', { state: 'refused', reason: 'device_gone (410)', gone: {} }],
  [410, 'ExpiredToken', { state: 'refused', reason: 'device_gone (410)', gone: {} }],
  [400, 'BadDeviceToken', { state: 'refused', reason: 'device_gone (400)', gone: maybe }],
  [400, 'DeviceTokenNotForTopic', { state: 'refused', reason: 'channel_mismatch (400)' }],
  [400, 'BadTopic', { state: 'refused', reason: 'channel_mismatch (400)' }],
  [400, 'MissingTopic', { state: 'refused', reason: 'channel_mismatch (400)' }],
  [400, 'TopicDisallowed', { state: 'refused', reason: 'channel_mismatch (400)' }],
  [403, 'BadEnvironmentKeyInToken', { state: 'later', reason: 'credentials_refused (403)' }],
  [413, 'PayloadTooLarge', { state: 'refused', reason: 'message_too_large (413)' }],
  [403, 'Forbidden', { state: 'later', reason: 'credentials_refused (403)' }],
  [429, 'TooManyRequests', { state: 'later', reason: 'rate_limited (429)' }],
  [500, 'InternalServerError', { state: 'later', reason: 'provider_unavailable (500)' }],
  [503, 'Shutdown', { state: 'later', reason: 'provider_unavailable (503)' }],
])('an answer of %s %s', async (status, word, wanted) => {
  apns.state.answer = (stream) => apns.refuse(stream, [status, word]);
  expect(await send()).toEqual({ ...wanted, words: word });
});

it.each<[string, (() => void) | undefined]>([
  ['took a push', undefined],
  [
    'knew a token',
    () => {
      apns.state.answer = (stream) => apns.refuse(stream, [410, 'Unregistered']);
    },
  ],
])('a token that is none is believed to be gone once APNs %s of the same channel', async (_, before) => {
  const bad = async (credentials = {}) => {
    apns.state.answer = (stream) => apns.refuse(stream, [400, 'BadDeviceToken']);
    const answer = await send({}, { credentials });
    delete apns.state.answer;
    return answer.state === 'refused' ? answer.gone : undefined;
  };
  const first = await bad();
  expect(first?.isSure?.()).toBe(false);
  before?.();
  await send({}, { to: 'b2'.repeat(32) });
  expect(first?.isSure?.()).toBe(true);
  expect((await bad())?.isSure?.()).toBe(true);
  expect((await bad({ topic: 'com.example.shob' }))?.isSure?.()).toBe(false);
  clock += 24 * 60 * 60_000;
  expect(first?.isSure?.()).toBe(false);
});

it('of a device that is gone it says since when', async () => {
  apns.state.answer = (stream) => {
    stream.respond({ ':status': 410 });
    stream.end(JSON.stringify({ reason: 'Unregistered', timestamp: 1_900_000_000_123 }));
  };
  expect(await send()).toMatchObject({ state: 'refused', gone: { since: 1_900_000_000_123 } });
});

it.each([
  ['what is no token', 'nobody', {}, { state: 'refused', reason: 'device_gone', gone: maybe }],
  [
    'more than 4,096 bytes',
    device,
    { alert: 'x'.repeat(4100) },
    { state: 'refused', reason: 'message_too_large' },
  ],
])('%s does not leave', async (_, to, content, wanted) => {
  const { words, ...answer } = (await send(content, { to })) as { words?: string };
  expect(answer).toEqual(wanted);
  expect(words).toMatch(/not one of an Apple device|larger than 4096 bytes/);
  expect(apns.state.connections).toBe(0);
});

const all = (n: number): Promise<Answer[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => send({ alert: `${i}` }, { id: `id ${i}` })));

const arrived = (): number[] =>
  apns.got.map(({ payload }) => Number(payload.aps.alert)).toSorted((a, b) => a - b);

it('1,000 pushes go over one connection, never more at once than the server allows', async () => {
  await begin(20);
  const answers = await all(1000);
  expect(answers.filter(({ state }) => state === 'sent')).toHaveLength(1000);
  expect(apns.state.connections).toBe(1);
  expect(arrived()).toEqual(Array.from({ length: 1000 }, (_, i) => i));
});

it('a server that allows more after the first push gets more at once', async () => {
  await begin(1);
  let [came, under, highest] = [0, 0, 0];
  const held: (() => void)[] = [];
  apns.state.answer = (stream, session, headers) => {
    came += 1;
    under += 1;
    highest = Math.max(highest, under);
    if (came === 1) session.settings({ maxConcurrentStreams: 50 });
    held.push(() => {
      under -= 1;
      void apns.take(stream, headers);
    });
    // The second to the last of as many as are allowed wait for each other.
    if (came === 1 || highest === 50) for (const answer of held.splice(0)) answer();
  };
  await all(200);
  expect(highest).toBe(50);
  expect(arrived()).toHaveLength(200);
});

it('when the server says farewell in the middle, each push arrives once', async () => {
  await begin(20);
  let n = 0;
  const lastOf = new Map<unknown, number>();
  apns.state.answer = (stream, session, headers) => {
    const { id = 0 } = stream;
    // Behind the last one nothing is looked at.
    if (id > (lastOf.get(session) ?? Number.POSITIVE_INFINITY)) return;
    n += 1;
    if (n % 50 === 0) {
      lastOf.set(session, id);
      session.goaway(0, id);
    }
    void apns.take(stream, headers);
  };
  const answers = await all(200);
  expect(answers.filter(({ state }) => state !== 'sent')).toEqual([]);
  expect(arrived()).toEqual(Array.from({ length: 200 }, (_, i) => i));
  expect(apns.state.connections).toBeGreaterThan(3);
});

/** NO_ERROR to HTTP_1_1_REQUIRED (RFC 9113 7), and one that nobody knows. */
const calm = 11;
const farewells = [...Array.from({ length: 14 }, (_, code) => code), 99].filter((code) => code !== calm);

describe.each(farewells)('a farewell with the code %i', (code) => {
  const n = 20;
  /** Once that many streams have come on the first connection: the number of the last one that the server looks at. */
  const farewellAfter = (streams: number, last: number, then: (seen: (() => void)[]) => void) => {
    let [first, came]: [unknown, number] = [undefined, 0];
    const seen: (() => void)[] = [];
    apns.state.answer = (stream, session, headers) => {
      first ??= session;
      if (session !== first) return void apns.take(stream, headers);
      came += 1;
      if (came <= last) seen.push(() => void apns.take(stream, headers));
      if (came !== streams) return;
      session.goaway(code, last * 2 - 1);
      then(seen);
    };
  };
  const states = (answers: readonly Answer[]) => ({
    sent: answers.filter(({ state }) => state === 'sent').length,
    unknown: answers.filter(({ state }) => state === 'unknown').length,
  });

  it('before the first push: all go to the next connection', async () => {
    let first = true;
    apns.state.onSession = (session) => {
      if (first) session.goaway(code, 0);
      first = false;
    };
    expect(states(await all(n))).toEqual({ sent: n, unknown: 0 });
    expect(arrived()).toHaveLength(n);
  });

  it('in the middle: what was seen keeps its answer, the rest goes to the next connection', async () => {
    farewellAfter(n, 8, (seen) => {
      for (const take of seen) take();
    });
    expect(states(await all(n))).toEqual({ sent: n, unknown: 0 });
    expect(arrived()).toEqual(Array.from({ length: n }, (_, i) => i));
    expect(apns.state.connections).toBe(2);
  });

  it('and then the end of the connection: what was seen and has no answer is unknown', async () => {
    farewellAfter(n, 8, (seen) => {
      for (const take of seen.slice(0, 3)) take();
      const [session] = apns.sessions;
      // By then the client has read what the server wrote.
      void until(() => apns.got.length >= 3).then(() =>
        session?.ping(() => (session.socket as Socket | undefined)?.resetAndDestroy()),
      );
    });
    const answers = await all(n);
    expect(states(answers)).toEqual({ sent: n - 5, unknown: 5 });
    expect(arrived()).toHaveLength(n - 5);
  });
});

it('a server that wants calm gets no push for a minute, and what it did not look at has not been sent', async () => {
  apns.state.onSession = (session) => session.goaway(calm, 0);
  const words = 'the server wants a pause of this connection';
  const answers = await all(20);
  for (const answer of answers)
    expect(answer).toMatchObject({ state: 'later', unbegun: true, reason: 'rate_limited', words });
  delete apns.state.onSession;
  expect(await send()).toMatchObject({ state: 'later', unbegun: true });
  expect(apns.state.connections).toBe(1);
  expect(arrived()).toEqual([]);
});

it('a push without an answer may have been taken, also after a farewell with the code of a refusal', async () => {
  apns.state.answer = (stream, session) => {
    session.goaway(7, stream.id);
    session.ping(() => sessions.close());
  };
  expect(await send()).toMatchObject({ state: 'unknown' });
});

it('what a server refuses to look at goes to the next connection', async () => {
  let n = 0;
  apns.state.answer = (stream) => {
    n += 1;
    // REFUSED_STREAM
    if (n <= 2) return stream.close(7);
    stream.respond({ ':status': 200, 'apns-id': 'x' });
    return void stream.end();
  };
  expect(await send()).toEqual({ state: 'sent', id: 'x' });
  n = -20;
  expect(await send()).toMatchObject({ state: 'later' });
});

it('without an answer it is unknown', async () => {
  apns.state.answer = () => {};
  expect(await send({}, { timeoutMs: 500 })).toEqual({
    state: 'unknown',
    reason: 'no_answer',
    words: 'no answer within 500 ms',
  });
  apns.state.answer = (_, session) => session.destroy();
  expect(await send()).toMatchObject({ state: 'unknown' });
});

it('a server that goes silent is noticed, and the next push has another connection', async () => {
  sessions.close();
  sessions = openSessions(openNames(), { everyMs: 20, withinMs: 500 });
  const line = await openLine(new URL(apns.url));
  const credentials = { url: `http://127.0.0.1:${line.port}` };
  await send({}, { credentials });
  line.vanish();
  expect(await send({}, { credentials })).toMatchObject({ state: 'unknown', reason: 'no_answer' });
  expect(await send({}, { credentials })).toMatchObject({ state: 'sent' });
  expect(apns.state.connections).toBe(2);
  line.cut();
});

it('a server that takes the connection and closes it, says nothing, or is not there has taken nothing', async () => {
  const closing = createServer((socket) => socket.destroy());
  const silent = createServer((socket) => socket.on('error', () => {}));
  for (const server of [closing, silent]) {
    const credentials = { url: await listening(server) };
    expect(await send({}, { credentials, timeoutMs: 500 })).toMatchObject({ state: 'later' });
    server.close();
  }
  expect(await send({}, { credentials: { url: 'http://127.0.0.1:9' } })).toMatchObject({ state: 'later' });
});

it('an answer without end is read up to a bound', async () => {
  apns.state.answer = (stream) => {
    stream.respond({ ':status': 400 });
    writeWithoutEnd(stream);
  };
  expect(await send()).toEqual({ state: 'refused', reason: 'provider_refused (400)' });
});

it('of more credentials than may be connected the one that was longest unused is closed', async () => {
  for (let n = 0; n < 25; n++) {
    const team_id = `TEAM${String(n).padStart(6, '0')}`;
    await send({}, { credentials: { team_id } });
  }
  expect(apns.state.connections).toBe(25);
  await until(async () => apns.sessions.size === 20);
});
