import { openNames } from '@roster/names';
import { openGoogle } from '@roster/testkit';
import { openSessions, type Sessions } from '../http/sessions.ts';
import { useConnections } from '../http/testbed.ts';
import { createPauses } from '../pauses.ts';
import { createProofs } from '../proofs.ts';
import { createTokens } from './account.ts';
import { sendDroid } from './send-droid.ts';

const connections = useConnections();
let google: Awaited<ReturnType<typeof openGoogle>>;
let clock: number;
let tokens: ReturnType<typeof createTokens>;
let sessions: Sessions;
let proofs: ReturnType<typeof createProofs>;
let pauses: ReturnType<typeof createPauses>;
beforeAll(async () => {
  google = await openGoogle();
});
afterAll(() => google.close());

/** What a test is not about does not run out on a slow machine. */
const timeoutMs = 60_000;

beforeEach(() => {
  clock = Date.now();
  google.state.now = () => clock;
  tokens = createTokens({ connections, now: () => clock, timeoutMs });
  sessions = openSessions(openNames());
  proofs = createProofs();
  pauses = createPauses();
  google.got.length = 0;
  google.state.asked = 0;
  delete google.state.answer;
  delete google.state.error;
  delete google.state.refusal;
});
afterEach(() => sessions.close());

const message = (content: object, to = 'a-token') => ({
  id: 'd/droid_push/p1/x',
  to,
  content: { alert: 'Hello', title: 'Sale', ...content },
});

const send = (content: object = {}, account: object = google.account, to?: string) =>
  sendDroid(
    message(content, to),
    { account: JSON.stringify(account), url: google.url },
    { sessions, tokens, proofs, pauses, timeoutMs, now: () => clock },
  );

it('a push arrives with all of its members', async () => {
  const buttons = [{ text: 'Look', action: 'URI', uri: 'https://example.com/look' }];
  const answer = await send({
    extra: { a: 'b', 'google.x': 'c', from: 'd' },
    notification_channel_id: 'news',
    priority: -2,
    android_priority: 'high',
    collapse_key: 'sale',
    sound: 'bell',
    custom_uri: 'https://example.com/sale',
    use_webview: true,
    summary_text: 'Everything',
    time_to_live: 60,
    notification_id: 7,
    push_icon_image_url: 'https://example.com/icon.png',
    accent_color: 0xff336699 - 2 ** 32,
    buttons,
  });
  expect(answer).toEqual({ state: 'sent', id: 'projects/shop/messages/1' });
  expect(google.got).toEqual([
    {
      token: 'a-token',
      data: {
        a: 'b',
        roster_id: 'd/droid_push/p1/x',
        roster_uri: 'https://example.com/sale',
        roster_use_webview: 'true',
        roster_summary_text: 'Everything',
        roster_buttons: JSON.stringify(buttons),
      },
      android: {
        collapse_key: 'sale',
        priority: 'HIGH',
        ttl: '60s',
        notification: {
          title: 'Sale',
          body: 'Hello',
          channel_id: 'news',
          notification_priority: 'PRIORITY_MIN',
          sound: 'bell',
          tag: '7',
          image: 'https://example.com/icon.png',
          color: '#336699',
        },
      },
    },
  ]);
});

it.each([
  [2, 'PRIORITY_MAX'],
  [0, 'PRIORITY_DEFAULT'],
  [3, 'PRIORITY_DEFAULT'],
  [-9, 'PRIORITY_DEFAULT'],
])('a priority of %s is %s', async (priority, shown) => {
  expect(await send({ priority })).toMatchObject({ state: 'sent' });
  expect(google.got[0]?.android.notification).toMatchObject({ notification_priority: shown });
});

it('one that only wakes the app shows nothing', async () => {
  await send({ alert: undefined, title: undefined, send_to_sync: true, extra: { a: 'b' } });
  expect(google.got[0]).toEqual({
    token: 'a-token',
    data: { a: 'b', roster_id: 'd/droid_push/p1/x' },
    android: {},
  });
});

it('50 pushes at once ask for one token, and it is asked for again before it ends', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => send()));
  expect(answers.filter(({ state }) => state === 'sent')).toHaveLength(50);
  expect(google.state.asked).toBe(1);
  clock += 54 * 60_000;
  await send();
  expect(google.state.asked).toBe(1);
  clock += 60_000;
  await send();
  expect(google.state.asked).toBe(2);
});

it.each(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope'])(
  'an account that Google refuses with %s is told as credentials that are refused',
  async (error) => {
    const told = JSON.stringify({ error, error_description: 'Invalid JWT Signature.' });
    google.state.refusal = { status: 400, text: told };
    expect(await send()).toEqual({
      state: 'later',
      reason: 'credentials_refused (400)',
      words: `no token: ${error}`,
    });
  },
);

it.each(['{"error":"invalid_request"}', '{"error":"temporarily_unavailable"}', '{"error":null}', 'no JSON'])(
  'another refusal of Google is not: %s',
  async (text) => {
    google.state.refusal = { status: 400, text };
    expect(await send()).toMatchObject({ state: 'later', reason: 'provider_refused (400)' });
  },
);

it('a token that is no longer taken is replaced', async () => {
  await send();
  google.state.valid = 'another';
  expect(await send()).toMatchObject({ state: 'later', reason: expect.stringMatching(/401/) });
  expect(await send()).toMatchObject({ state: 'sent' });
  expect(google.state.asked).toBe(2);
});

const invalid = { status: 400, code: 'INVALID_ARGUMENT', errorCode: 'INVALID_ARGUMENT' };

it.each([
  'Request contains an invalid argument.',
  'Invalid ttl',
  'Android message is too big',
  'Invalid data payload key: from',
  'Topic or registration token is missing',
])('a fault of the payload says nothing about the token: %s', async (message) => {
  google.state.error = { ...invalid, message };
  expect(await send()).toEqual({
    state: 'refused',
    reason: 'provider_refused (400)',
    words: `INVALID_ARGUMENT: ${message}`,
  });
});

it('a token of Google is kept when the keys of another service are refused', async () => {
  google.state.error = { status: 401, code: 'UNAUTHENTICATED', errorCode: 'THIRD_PARTY_AUTH_ERROR' };
  expect(await send()).toMatchObject({ state: 'later', reason: 'credentials_refused (401)' });
  delete google.state.error;
  expect(await send()).toMatchObject({ state: 'sent' });
  expect(google.state.asked).toBe(1);
});

it('who writes down the email of another account does not get its token', async () => {
  await send();
  const own = { ...google.account, token_uri: google.account.token_uri.replace('token', 'elsewhere') };
  const why = { reason: 'provider_refused (404)', words: 'no token: provider_refused (404)' };
  expect(await send({}, own)).toEqual({ state: 'later', ...why });
  expect(google.got).toHaveLength(1);
});

it.each([
  [
    { status: 404, code: 'NOT_FOUND', errorCode: 'UNREGISTERED' },
    { state: 'refused', reason: 'device_gone (404)', gone: {} },
  ],
  [
    { status: 400, code: 'INVALID_ARGUMENT', errorCode: 'INVALID_ARGUMENT', field: 'message.token' },
    { state: 'refused', reason: 'device_gone (400)', gone: { isSure: expect.any(Function) } },
  ],
  [
    { status: 400, code: 'INVALID_ARGUMENT', field: 'message.data' },
    { state: 'refused', reason: 'provider_refused (400)' },
  ],
  [
    { ...invalid, message: 'The registration token is not a valid FCM registration token' },
    { state: 'refused', reason: 'device_gone (400)', gone: { isSure: expect.any(Function) } },
  ],
  [
    { ...invalid, field: 'message.data', message: 'the registration token is not valid there' },
    { state: 'refused', reason: 'provider_refused (400)' },
  ],
  [
    { status: 404, code: 'NOT_FOUND', message: 'Requested entity was not found.' },
    { state: 'refused', reason: 'provider_refused (404)' },
  ],
  [
    { status: 403, code: 'PERMISSION_DENIED', errorCode: 'SENDER_ID_MISMATCH' },
    { state: 'refused', reason: 'channel_mismatch (403)' },
  ],
  [
    { status: 403, code: 'PERMISSION_DENIED' },
    { state: 'later', reason: 'credentials_refused (403)' },
  ],
  [
    { status: 429, code: 'QUOTA_EXCEEDED', headers: { 'retry-after': '60' } },
    { state: 'later', reason: 'rate_limited (429)', afterMs: 60_000 },
  ],
  [
    { status: 500, code: 'INTERNAL' },
    { state: 'later', reason: 'provider_unavailable (500)' },
  ],
])('an answer of %j', async (error, wanted) => {
  google.state.error = error;
  const message = 'message' in error ? error.message : `The reason: ${error.code}`;
  const words = `${'errorCode' in error ? error.errorCode : error.code}: ${message}`;
  expect(await send()).toEqual({ ...wanted, words });
});

it.each([
  { field: 'message.token' },
  { message: 'The registration token is not a valid FCM registration token' },
])(
  'a token that is none is believed to be gone once FCM took another one of the project: %j',
  async (told) => {
    google.state.error = { ...invalid, ...told };
    const answer = await send();
    const isSure = () => answer.state === 'refused' && answer.gone?.isSure?.();
    expect(isSure()).toBe(false);
    delete google.state.error;
    await send();
    expect(isSure()).toBe(true);
  },
);

it.each(['no JSON', 'null', '{"error":null}', '{"error":{"details":[null,1,{"fieldViolations":[null]}]}}'])(
  'an answer of 400 with %s is read all the same',
  async (text) => {
    google.state.answer = (stream) => {
      stream.respond({ ':status': 400 });
      stream.end(text);
    };
    expect(await send()).toEqual({ state: 'refused', reason: 'provider_refused (400)' });
  },
);

describe('a quota that is used up', () => {
  const exceeded = (headers: Record<string, string> = {}, subject = 'project:123') => {
    google.state.answer = (stream) => {
      stream.respond({ ':status': 429, ...headers });
      const details = [
        { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'QUOTA_EXCEEDED' },
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ subject }] },
      ];
      stream.end(JSON.stringify({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', details } }));
    };
  };
  const pause = (what: string, afterMs: number) => ({
    state: 'later',
    unbegun: true,
    reason: 'rate_limited',
    words: `FCM wants a pause of this ${what}`,
    afterMs,
  });

  it.each([
    [{}, 60_000],
    [{ 'retry-after': '90' }, 90_000],
    [{ 'retry-after': '864000' }, 3_600_000],
  ])('of the project stops all of its pushes: %j', async (headers: Record<string, string>, ms) => {
    exceeded(headers);
    expect(await send()).toMatchObject({ state: 'later', reason: 'rate_limited (429)' });
    delete google.state.answer;
    expect(await send({}, google.account, 'another')).toEqual(pause('project', ms));
    clock += ms - 1;
    expect(await send()).toEqual(pause('project', 1));
    expect(google.got).toEqual([]);
    clock += 1;
    expect(await send()).toMatchObject({ state: 'sent' });
  });

  it('of one device stops it alone', async () => {
    exceeded({}, 'device:a-token');
    await send();
    delete google.state.answer;
    expect(await send()).toEqual(pause('device', 60_000));
    expect(await send({}, google.account, 'another')).toMatchObject({ state: 'sent' });
  });
});

it('Google wants a pause of those who ask for a token: nobody asks until its end, and nothing was tried', async () => {
  google.state.refusal = { status: 429, headers: { 'retry-after': '90' } };
  const pause = { state: 'later', unbegun: true, afterMs: 90_000 };
  expect(await send()).toMatchObject({ ...pause, reason: 'rate_limited (429)' });
  delete google.state.refusal;
  expect(await send({}, google.account, 'another')).toMatchObject({ ...pause, reason: 'rate_limited' });
  expect(google.state.asked).toBe(1);
  clock += 90_000;
  expect(await send()).toMatchObject({ state: 'sent' });
});

it('without a token nothing has left', async () => {
  const away = { ...google.account, token_uri: 'http://127.0.0.1:9/' };
  expect(await send({}, away)).toMatchObject({ state: 'later' });
});

it.each(['no JSON', '{}', 'null'])('an account of %s says what is missing', async (account) => {
  const wrong = sendDroid(
    { id: 'x', to: 'y', content: {} },
    { account },
    { sessions, tokens, proofs, pauses },
  );
  await expect(wrong).rejects.toThrow(
    'the service account is not the JSON of Firebase: it has no project_id',
  );
});
