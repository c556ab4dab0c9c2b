import { generateVAPIDKeys } from 'web-push';
import { useConnections } from '../http/testbed.ts';
import { createProofs } from '../proofs.ts';
import { sendWeb } from './send-web.ts';
import { openPushService } from './testbed.ts';

let service: Awaited<ReturnType<typeof openPushService>>;
beforeAll(async () => {
  service = await openPushService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.got.length = 0;
  delete service.state.answer;
  delete service.state.refused;
});

const { publicKey: public_key, privateKey: private_key } = generateVAPIDKeys();
const keys = { public_key, private_key, contact: 'mailto:push@example.com' };

const connections = useConnections();
const send = (content: object = {}, more: object = {}, to: unknown = service.subscription) =>
  sendWeb(
    {
      id: 'd/web_push/p1/x',
      to: typeof to === 'string' ? to : JSON.stringify(to),
      content: { alert: 'Hello ä', title: 'Sale', ...content },
    },
    // What a test is not about does not run out on a slow machine.
    { ...keys, connections, proofs: createProofs(), allowPrivate: true, timeoutMs: 60_000, ...more },
  );

it('a push arrives, and the browser can read it', async () => {
  const answer = await send({
    custom_uri: 'https://example.com/sale',
    image_url: 'https://example.com/icon.png',
    large_image_url: 'https://example.com/large.png',
    require_interaction: true,
    time_to_live: 60,
    extra: { a: 'b' },
    buttons: [{ text: 'Look', action: 'URI', uri: 'https://example.com/look' }, { text: 'Later' }],
  });
  expect(service.state.refused).toBeUndefined();
  expect(answer).toEqual({ state: 'sent', id: `${service.origin}/message/1` });
  expect(service.got).toEqual([
    {
      ttl: 60,
      urgency: 'normal',
      payload: {
        id: 'd/web_push/p1/x',
        title: 'Sale',
        body: 'Hello ä',
        icon: 'https://example.com/icon.png',
        image: 'https://example.com/large.png',
        url: 'https://example.com/sale',
        requireInteraction: true,
        actions: [
          { action: 'button-1', title: 'Look', does: 'URI', url: 'https://example.com/look' },
          { action: 'button-2', title: 'Later', does: 'OPEN_APP' },
        ],
        data: { a: 'b' },
      },
    },
  ]);
});

it('has the urgency and the topic of the message', async () => {
  await send({ urgency: 'high', topic: 'score_17' });
  await send();
  expect(service.got.map(({ urgency, topic }) => [urgency, topic])).toEqual([
    ['high', 'score_17'],
    ['normal', undefined],
  ]);
});

it('is kept four weeks for a browser that is away, unless the message says otherwise', async () => {
  await send();
  await send({ time_to_live: 0 });
  expect(service.got.map(({ ttl }) => ttl)).toEqual([2_419_200, 0]);
});

it.each([
  [404, {}, { state: 'refused', reason: 'device_gone (404)', gone: {} }],
  [410, {}, { state: 'refused', reason: 'device_gone (410)', gone: {} }],
  [413, {}, { state: 'refused', reason: 'message_too_large (413)' }],
  [403, {}, { state: 'later', reason: 'credentials_refused (403)' }],
  [400, {}, { state: 'refused', reason: 'provider_refused (400)' }],
  [301, { location: '/' }, { state: 'refused', reason: 'redirected (301)' }],
  [429, { 'retry-after': '9' }, { state: 'later', reason: 'rate_limited (429)', afterMs: 9000 }],
  [406, { 'retry-after': '9' }, { state: 'later', reason: 'rate_limited (406)', afterMs: 9000 }],
  [502, {}, { state: 'later', reason: 'provider_unavailable (502)' }],
])('an answer of %s', async (status, headers, wanted) => {
  service.state.answer = (_, response) =>
    void response.writeHead(status, headers as Record<string, string>).end();
  expect(await send()).toEqual(wanted);
});

it.each([
  [403, 'the VAPID credentials in the authorization header do not correspond to the credentials used'],
  [400, '{"reason":"VapidPkHashMismatch"}'],
  [400, '<HTML><TITLE>UnauthorizedRegistration</TITLE>'],
])('a subscription with the keys of another sender is no fault of ours: %s %s', async (status, text) => {
  service.state.answer = (_, response) => void response.writeHead(status).end(text);
  expect(await send()).toEqual({ state: 'refused', reason: `channel_mismatch (${status})` });
});

it.each([403, 401])('keys that are refused are not those of another sender: %s', async (status) => {
  service.state.answer = (_, response) => void response.writeHead(status).end('{"reason":"BadJwtToken"}');
  expect(await send()).toEqual({ state: 'later', reason: `credentials_refused (${status})` });
});

it('larger than a push service takes it is refused', async () => {
  const body = (bytes: number) => ({ alert: 'x'.repeat(bytes) });
  const others = Buffer.byteLength(JSON.stringify({ id: 'd/web_push/p1/x', title: 'Sale', body: '' }));
  expect(await send(body(3993 - others))).toMatchObject({ state: 'sent' });
  const why = { reason: 'message_too_large', words: 'the push is larger than 3993 bytes' };
  expect(await send(body(3994 - others))).toEqual({ state: 'refused', ...why });
});

it('to a private network, or unencrypted, goes nowhere', async () => {
  const guarded = { allowPrivate: false };
  const at = (endpoint: string) => ({ ...service.subscription, endpoint });
  expect(await send({}, guarded)).toMatchObject({
    state: 'refused',
    words: 'the endpoint must begin with https://',
  });
  const isPrivate = { state: 'refused', reason: 'private_network' };
  expect(await send({}, guarded, at('https://127.0.0.1/'))).toEqual(isPrivate);
  const notFound = 'the host localhost was not found, or is in a private network';
  expect(await send({}, guarded, at('https://localhost/'))).toMatchObject({
    state: 'later',
    words: notFound,
  });
  expect(service.got).toEqual([]);
});

describe('a token that is no subscription is refused for good:', () => {
  const of = (more: object) => JSON.stringify({ ...service.subscription, ...more });
  const withKeys = (more: object) => of({ keys: { ...service.subscription.keys, ...more } });
  it.each([
    ['no JSON', () => 'abc'],
    ['nothing', () => 'null'],
    ['a list', () => '[]'],
    ['no endpoint', () => of({ endpoint: 1 })],
    ['an endpoint that is no address', () => of({ endpoint: 'push' })],
    ['an address that is no page', () => of({ endpoint: 'ftp://example.com/' })],
    ['no keys', () => of({ keys: null })],
    ['a key of the wrong length', () => withKeys({ p256dh: 'AAAA' })],
    [
      'a key that is no point of the curve',
      () => withKeys({ p256dh: Buffer.alloc(65, 4).toString('base64url') }),
    ],
    ['a secret of the wrong length', () => withKeys({ auth: 'AAAA' })],
    ['5 KB', () => of({ more: 'x'.repeat(5000) })],
  ])('%s', async (_, token) => {
    expect(await send({}, {}, token())).toMatchObject({ state: 'refused', gone: {} });
  });
});
