import { type OperationId, operationOf } from '@roster/contract';
import { createLateJudge } from '../judge.ts';
import { aJudgeSettings } from '../test-settings.ts';

const judge = createLateJudge();

const webhook = { url: 'https://example.com/hooks', request_method: 'POST' };
const email = { app_id: 'shop', from: 'news@example.com', body: 'x' };
const sms = { app_id: 'shop', subscription_group_id: 'alerts', body: 'x' };
const alert = { alert: 'x', title: 'x' };
const card = { type: 'CLASSIC', title: 'x', description: 'x' };
const good = {
  external_user_ids: ['ada'],
  schedule: { time: '2036-01-01T00:00:00Z' },
  messages: { webhook },
};

const verdictOn = (body: unknown, id: OperationId = 'messages.schedule.create') =>
  judge(operationOf(id), { body, exact: true }, aJudgeSettings());

const refusalOf = (more: object): string | undefined => {
  const verdict = verdictOn({ ...good, ...more });
  return verdict.ok ? undefined : verdict.rejection.message;
};

const local = (time: string) => ({ schedule: { time, in_local_time: true } });

it.each([
  ['a time that no day has', local('2036-12-31T24:00:00'), 'Bad Request'],
  ['a second that few days have', local('2036-12-31T23:59:60'), 'Bad Request'],
  [
    'too many external ids',
    { external_user_ids: Array.from({ length: 51 }, () => 'a') },
    'external_user_ids must not hold more than 50 elements',
  ],
])('refuses %s', (_what, more, message) => {
  expect(refusalOf(more)).toBe(message);
});

/** What a message of a channel has in the tables, beside what a row is about. */
const usual: Record<string, object> = { webhook, email, sms, content_card: card };

const refusalOfMessage = (channel: string, more: object): string | undefined =>
  refusalOf({ messages: { [channel]: { ...usual[channel], ...more } } });

const [x101, x256] = ['x'.repeat(101), 'x'.repeat(256)];
const notThere =
  'is not available: Roster sends ios_push, droid_push, web_push, email, sms, whats_app, webhook, content_card';
const noAddress = 'must be an address that begins with https:// or http://';
const appleFile = 'must have both asset_url and asset_file_type, or none of them';
const noGroup = 'must be a subscription group of the workspace with the channel sms';
const noApp = 'must be an app of the workspace';
const noUri = '.buttons[0].uri is required for this action';
const noShortening = '.link_shortening_enabled is not available: send the link as it should be';

it.each([
  ['webhook', 'an address of another protocol', { url: 'ftp://example.com' }, `.url ${noAddress}`],
  ['webhook', 'an address that is none', { url: 'no address' }, `.url ${noAddress}`],
  [
    'webhook',
    'a line break in a header',
    { request_headers: { 'X\r\nY': 'z' } },
    ".request_headers must not hold 'X\r\nY'",
  ],
  [
    'webhook',
    'a long name of a header',
    { request_headers: { [x101]: 'z' } },
    `.request_headers must not hold '${x101}'`,
  ],
  [
    'email',
    'a line break in a header',
    { headers: { 'X\r\nBcc': 'eve@example.com' } },
    ".headers must not hold 'X\r\nBcc'",
  ],
  ['email', 'no app', { app_id: 'x' }, `.app_id ${noApp}`],
  ['content_card', 'a long name in extra', { extra: { [x256]: 'y' } }, `.extra must not hold '${x256}'`],
  ['content_card', 'no picture', { type: 'BANNER' }, '.image_url is required for BANNER'],
  ['ios_push', 'no text', { badge: 1 }, '.alert is required unless content-available is true'],
  ['ios_push', 'reserved names', { alert: 'x', extra: { aps: {} } }, '.extra.aps is a reserved name'],
  [
    'ios_push',
    'a file without its kind',
    { alert: 'x', asset_url: 'https://example.com/a' },
    ` ${appleFile}`,
  ],
  [
    'ios_push',
    'an id of 65 bytes',
    { alert: 'x', collapse_id: `${'x'.repeat(61)}\u{1f600}` },
    '.collapse_id must have at most 64 bytes',
  ],
  ['ios_push', 'no time as its end', { alert: 'x', expiry: 'soon' }, '.expiry must be a time in ISO 8601'],
  [
    'ios_push',
    'a button that leads nowhere',
    { alert: 'x', buttons: [{ action_id: 'a', action: 'URI' }] },
    noUri,
  ],
  [
    'droid_push',
    'reserved names in extra',
    { ...alert, extra: { 'google.x': 'y' } },
    '.extra.google.x is a reserved name',
  ],
  ['droid_push', 'no title', { alert: 'x' }, '.title is required'],
  [
    'droid_push',
    'a silent text',
    { alert: 'x', send_to_sync: true },
    ' must not have alert or title with send_to_sync',
  ],
  ['web_push', 'a button that leads nowhere', { ...alert, buttons: [{ text: 'x', action: 'URI' }] }, noUri],
  [
    'web_push',
    '3,901 bytes',
    { ...alert, extra: { a: 'x'.repeat(3859) } },
    ' must have at most 3,900 bytes as JSON',
  ],
  ['sms', 'a group of emails', { subscription_group_id: 'news' }, `.subscription_group_id ${noGroup}`],
  ['sms', 'no app', { app_id: 'x' }, `.app_id ${noApp}`],
  ['sms', 'an app with a wrong letter', { app_id: 'shpp' }, `.app_id ${noApp}: did you mean shop?`],
  ['sms', 'short links', { link_shortening_enabled: true }, noShortening],
  ['kindle_push', 'a channel that there is not', alert, ` ${notThere}`],
])('refuses %s with %s', (channel, _what, more, message) => {
  expect(refusalOfMessage(channel, more)).toBe(`messages.${channel}${message}`);
});

it.each([
  ['the last second of a day', local('2036-12-31 23:59:59.999')],
  [
    '50 external ids beside 50 aliases',
    {
      external_user_ids: Array.from({ length: 50 }, () => 'a'),
      user_aliases: Array.from({ length: 50 }, () => ({ alias_label: 'a', alias_name: 'b' })),
    },
  ],
])('takes %s', (_what, more) => {
  expect(refusalOf(more)).toBeUndefined();
});

it.each([
  ['webhook', 'an address with Liquid', { url: '{{custom_attribute.x}}/y' }],
  ['webhook', 'names of headers', { request_headers: { 'X-A_b.c': 'z' } }],
  ['content_card', 'names in extra', { extra: { 'grün und blau': 'y' } }],
  ['ios_push', '1,912 bytes', { alert: 'x'.repeat(1900) }],
  ['ios_push', 'nothing to show', { 'content-available': true }],
  ['ios_push', 'the shape of an alert', { alert: { title: 'x', body: 'y' } }],
  ['ios_push', 'an end that a template writes', { alert: 'x', expiry: '{{x}}' }],
  ['droid_push', '4,000 bytes', { ...alert, alert: 'x'.repeat(3976) }],
  ['droid_push', 'nothing but data', { send_to_sync: true, extra: { a: 'b' } }],
  ['droid_push', 'any priority', { ...alert, priority: 17 }],
  ['web_push', 'urgency and topic', { ...alert, urgency: 'very-low', topic: `A-${'z'.repeat(30)}` }],
  ['web_push', '3,900 bytes', { ...alert, extra: { a: 'x'.repeat(3858) } }],
  ['sms', 'pictures', { media_items: ['https://example.com/a'] }],
  [
    'whats_app',
    'a message',
    { app_id: 'shop', subscription_group_id: 'alerts', message_type: 'text', message: { a: {} } },
  ],
])('takes %s with %s', (channel, _what, more) => {
  expect(refusalOfMessage(channel, more)).toBeUndefined();
});

it.each([
  { urgency: 'urgent' },
  { topic: 'a b' },
  { topic: '' },
  { topic: 'x'.repeat(33) },
  { topic: 'a\r\nb' },
])('refuses a push to browsers with %j', (more) => {
  const [member] = Object.keys(more);
  expect(refusalOfMessage('web_push', { ...alert, ...more })).toContain(`messages.web_push.${member}`);
});

const apple = 'Apple Push Length Exceeded';
const android = 'Android Push Length Exceeded';
const wrongExtra = 'Invalid Extra Push Payload';

it.each([
  ['ios_push', { alert: 'x'.repeat(1901) }, apple, ' must have at most 1,912 bytes as JSON'],
  ['ios_push', { alert: 'x'.repeat(60_000) }, apple, ' must have at most 1,912 bytes as JSON'],
  ['droid_push', { ...alert, alert: 'x'.repeat(3977) }, android, ' must have at most 4,000 bytes as JSON'],
  ['droid_push', { ...alert, title: 'x'.repeat(60_000) }, android, ' must have at most 4,000 bytes as JSON'],
  ['ios_push', { alert: 'x', extra: 'x' }, wrongExtra, '.extra must be an object'],
  ['droid_push', { ...alert, extra: [1] }, wrongExtra, '.extra must be an object'],
])('refuses an %s of %j in the sentence that clients know', (channel, message, sentence, fault) => {
  for (const [id, body] of [
    ['messages.send', { external_user_ids: ['ada'] }],
    ['messages.schedule.create', good],
    ['messages.schedule.update', { schedule_id: 's' }],
  ] as const) {
    const verdict = verdictOn({ ...body, messages: { [channel]: message } }, id);
    expect(verdict.ok || [verdict.rejection.message, verdict.rejection.faults]).toEqual([
      sentence,
      [{ reason: `messages.${channel}${fault}` }],
    ]);
  }
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: Liquid of the interface
const from = 'must be one email, or a name with one email in angle brackets, without Liquid';
const headers =
  'Allowed are X-... and Auto-Submitted, Feedback-ID, Importance, In-Reply-To, Keywords, List-ID, Organization, Precedence, Priority, References, Sensitivity';

describe('an email', () => {
  const refusalOfEmail = (more: object) => refusalOfMessage('email', more);

  it.each([
    ['from', 'Liquid in the name', '{{${first_name}}} <news@example.com>', from],
    ['from', 'Liquid in the address', 'Shop <{{custom_attribute.${a}}}@example.com>', from],
    ['from', 'a tag', '{%raw%}@example.com', from],
    ['from', 'no address', 'nobody', from],
    ['from', 'two addresses', 'a@example.com, b@example.com', from],
    ['from', 'an address before a name with another one', 'eve@example.com, z <news@example.com>', from],
    ['from', 'commas', ','.repeat(320), from],
    ['from', 'angle brackets in the name', 'Shop <x> <news@example.com>', from],
    ['from', 'a line break in the name', 'Shop\r\nBcc: eve@example.com <news@example.com>', from],
    ['bcc', 'Liquid', '{{content_blocks.list}}@example.com', 'must be one email, without Liquid'],
    ['bcc', 'a name', 'Ada <ada@example.com>', 'must be one email, without Liquid'],
    ['bcc', 'two addresses', 'a@example.com,b@example.com', 'must be one email, without Liquid'],
    ['reply_to', 'Liquid', '{{custom_attribute.${a}}}@example.com', `${from}; or NO_REPLY_TO`],
    ['reply_to', 'two addresses', 'a@example.com, b@example.com', `${from}; or NO_REPLY_TO`],
  ])('whose %s has %s is refused', (member, _what, value, what) => {
    expect(refusalOfEmail({ [member]: value })).toBe(`messages.email.${member} ${what}`);
  });

  it.each([
    ['from', 'news@example.com'],
    ['from', 'Shop, Inc. <news@example.com>'],
    ['from', '"Shop: \\"a@b\\", Inc." <news@example.com>'],
    ['from', 'Grün <news@grün.example>'],
    ['reply_to', 'Help <help@example.com>'],
    ['reply_to', 'NO_REPLY_TO'],
    ['bcc', ' archive@example.com '],
  ])('takes %s: %s', (member, value) => {
    expect(refusalOfEmail({ [member]: value })).toBeUndefined();
  });

  it.each([
    'list-unsubscribe',
    'List-Unsubscribe-Post',
    'Sender',
    'Return-Path',
    'DKIM-Signature',
    'Bcc',
    'content-type',
    'MIME-Version',
    'Received',
    'To',
    'x-smtpapi',
    'X-MSYS-API',
  ])('with the header %s is refused', (name) => {
    expect(refusalOfEmail({ headers: { [name]: 'x' } })).toBe(
      `messages.email.headers.${name} is not allowed. ${headers}; X-SMTPAPI, X-MSYS-API, X-MC-BccAddress and X-Receiver are not, because mail servers read recipients there`,
    );
  });

  it.each(['a\r\nBcc: eve@example.com', 'a\nb', 'a\0b'])(
    'with a header of several lines is refused',
    (value) => {
      expect(refusalOfEmail({ headers: { 'X-Own': value } })).toBe(
        'messages.email.headers.X-Own must be one line without control characters',
      );
    },
  );

  it('takes headers that people need, in any case', () => {
    const taken = { 'x-own': 'a {{b}}', PRECEDENCE: 'bulk', 'Feedback-ID': 'a:b', References: '<a@b>' };
    expect(refusalOfEmail({ headers: taken })).toBeUndefined();
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: it ends here

it('takes whole numbers for external ids, as texts', () => {
  expect(verdictOn({ ...good, external_user_ids: [12345, 9007199254740993n, 'a'] })).toMatchObject({
    ok: true,
    accepted: { body: { external_user_ids: ['12345', '9007199254740993', 'a'] } },
  });
});

it('keeps the digits of whole numbers within 64 bits, in audiences and in messages', () => {
  const verdict = verdictOn({
    ...good,
    audience: { custom_attribute: { custom_attribute_name: 'n', comparison: 'equals', value: 2n ** 60n } },
    messages: { ios_push: { alert: 'x', extra: { n: 2n ** 60n } } },
  });
  expect(verdict).toMatchObject({
    ok: true,
    accepted: {
      body: {
        audience: { custom_attribute: { value: 2n ** 60n } },
        messages: { ios_push: { extra: { n: 2n ** 60n } } },
      },
    },
  });
  expect(refusalOf({ messages: { ios_push: { alert: 'x', extra: { n: 2n ** 63n } } } })).toBe(
    'messages.ios_push.extra.n must be a whole number of at most 64 bits, or have a decimal point',
  );
});

describe('a WhatsApp message with whole numbers beyond 2^53', () => {
  const refusalOfNumbers = (number: number | bigint, count: number) =>
    refusalOf({
      messages: {
        whats_app: {
          ...{ app_id: 'shop', subscription_group_id: 'alerts', message_type: 'template' },
          message: { first: number, others: Array.from({ length: count }, () => 1) },
        },
      },
    });
  const tooLarge =
    'messages.whats_app, with whole numbers beyond 2^53, must have at most 16,384 bytes as JSON';

  it.each([2n ** 53n, 2n ** 63n - 1n, 2 ** 53, 1e20])('is small: %p', (number) => {
    expect(refusalOfNumbers(number, 8_000)).toBeUndefined();
    expect(refusalOfNumbers(number, 8_200)).toBe(tooLarge);
  });

  it('may be as large as any other without them', () =>
    expect(refusalOfNumbers(2 ** 53 - 1, 100_000)).toBeUndefined());
});

const more = { more: 9007199254740993n };

it.each(['create', 'update'] as const)('nothing is kept that no message has: %s', (name) => {
  const verdict = verdictOn(
    {
      ...good,
      schedule_id: 'x',
      user_aliases: [{ alias_label: 'a', alias_name: 'b', ...more }],
      messages: { webhook: { ...webhook, ...more } },
    },
    `messages.schedule.${name}`,
  );
  expect(verdict).toMatchObject({ ok: true });
  const { body } = (verdict as { accepted: { body: { messages: object; user_aliases?: object } } }).accepted;
  expect(body.messages).toEqual({ webhook });
  if (name === 'create') expect(body.user_aliases).toEqual([{ alias_label: 'a', alias_name: 'b' }]);
});

describe('a member that is nearly one of the interface', () => {
  const time = '2036-01-01T00:00:00Z';
  const mail = { app_id: 'web', from: 'Shop <news@example.com>', body: 'x' };

  it.each([
    [
      { schedule: { time, in_localtime: true } },
      'schedule.in_localtime is not known: did you mean in_local_time?',
    ],
    [
      { messages: { email: { ...mail, subjct: 'x' } } },
      'messages.email.subjct is not known: did you mean subject?',
    ],
  ])('%j is refused', (more, message) => {
    expect(refusalOf(more)).toBe(message);
  });

  it.each([
    [{ trigger_properties: {} }],
    [{ schedule: { time, note: 'x' } }],
    [{ messages: { webhook: { ...webhook, note: 'x' } } }],
    // A client may send the name of another version beside the right one.
    [{ external_user_id: 'ada' }],
  ])('%j is ignored: it is far from all, or that one is there', (more) => {
    expect(refusalOf(more)).toBeUndefined();
  });

  it('is refused in place of the users', () => {
    const { external_user_ids: _, ...rest } = good;
    expect(verdictOn({ ...rest, external_user_id: 'ada' })).toMatchObject({
      rejection: { message: 'external_user_id is not known: did you mean external_user_ids?' },
    });
  });

  it('is looked for in a bounded part of a message', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`some other member ${n}`, 1]));
    const long = { [`${'x'.repeat(100_000)}`]: 1 };
    expect(refusalOf({ messages: { webhook: { ...webhook, ...many, ...long, ur: 1 } } })).toBeUndefined();
  });
});

it.each([
  ['a broadcast', { external_user_ids: [], broadcast: true, segment_id: 'readers' }, 1],
  ['one user', {}, 1],
  [
    'two users by external id, one by alias, and two messages',
    {
      external_user_ids: ['ada', 'bob'],
      user_aliases: [{ alias_label: 'web', alias_name: 'c' }],
      messages: { webhook, email },
    },
    6,
  ],
])('each message to a listed user is an entry that is paid: %s', (_, more, entries) => {
  for (const id of ['messages.schedule.create', 'messages.send'] as const) {
    const { schedule, ...now } = { ...good, ...more };
    const body = id === 'messages.send' ? now : { ...now, schedule };
    expect(verdictOn(body, id)).toMatchObject({ ok: true, entries });
  }
});
