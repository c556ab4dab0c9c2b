import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigned } from '../signed.ts';
import { phoneAnswersIn, reportsIn } from './calls.ts';
import { isOptedOut, providerIn } from './provider.ts';
import { createPhoneUrls } from './urls.ts';

const twilio = JSON.stringify({
  preset: 'twilio',
  account: 'a',
  token: 't',
  from: '+15550100',
  help: 'Ask us',
});
const form = (fields: Record<string, string>) => ({
  contentType: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});

describe('a report of Twilio', () => {
  it.each<[Record<string, string>, unknown]>([
    [{ MessageStatus: 'delivered' }, { state: 'sent' }],
    [{ MessageStatus: 'read' }, { state: 'sent' }],
    [
      { MessageStatus: 'undelivered', ErrorCode: '30003' },
      { state: 'refused', reason: 'not_delivered (30003)', words: 'undelivered: 30003' },
    ],
    [{ MessageStatus: 'failed' }, { state: 'refused', reason: 'not_delivered', words: 'failed' }],
    [{ MessageStatus: 'queued' }, undefined],
    [{}, undefined],
  ])('of %j', (fields, report) => {
    expect(reportsIn(twilio, form(fields))).toEqual(report ? [report] : []);
  });

  it('shows no more than a line of the words of a provider', () => {
    const [report] = reportsIn(twilio, form({ MessageStatus: 'failed', ErrorCode: 'x'.repeat(5000) }));
    expect(report?.reason).toBe('not_delivered');
    expect(report?.words).toHaveLength(300);
  });
});

it('an answer by Twilio has its number, its text and its id', () => {
  const fields = { From: '+15550101', Body: 'STOP', MessageSid: 'SM1' };
  const answer = { from: '+15550101', text: 'STOP', id: 'SM1', help: 'Ask us' };
  expect(phoneAnswersIn(twilio, form(fields))).toEqual([answer]);
  expect(phoneAnswersIn(twilio, form({ Body: 'STOP' }))).toEqual([]);
});

describe('another provider', () => {
  const provider = JSON.stringify({
    url: 'https://example.com/',
    json: {},
    report: { state: 'statuses.0.status', delivered: ['ok'], failed: ['lost'] },
    answer: { from: 'messages.0.from', text: 'messages.0.text.body' },
  });
  const json = (body: unknown) => ({
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  });

  it('tells in JSON', () => {
    expect(reportsIn(provider, json({ statuses: [{ status: 'ok' }] }))).toEqual([{ state: 'sent' }]);
    const answer = { messages: [{ from: 15550101, text: { body: 'stop' } }] };
    expect(phoneAnswersIn(provider, json(answer))).toEqual([{ from: '15550101', text: 'stop' }]);
  });

  it.each(['', 'no JSON', '[]', '{"statuses":[null]}', '{"messages":{}}'])('says nothing with %p', (body) => {
    const call = { contentType: 'application/json', body };
    expect([...reportsIn(provider, call), ...phoneAnswersIn(provider, call)]).toEqual([]);
  });

  it('that is not written down for it tells nothing', () => {
    const silent = JSON.stringify({ url: 'https://example.com/', json: {} });
    expect(reportsIn(silent, form({ MessageStatus: 'failed' }))).toEqual([]);
    expect(phoneAnswersIn(silent, form({ From: '1', Body: 'STOP' }))).toEqual([]);
  });

  it.each([
    { report: { state: 'x', delivered: 'ok', failed: [] } },
    { report: { delivered: [], failed: [] } },
    { answer: { from: 'x' } },
    { answer: { from: 'x', text: 'y', more: 'z' } },
    { answer: null },
  ])('written down as %j is told apart', (more) => {
    const wrong = JSON.stringify({ url: 'https://example.com/', json: {}, ...more });
    expect(() => reportsIn(wrong, form({}))).toThrow(/^the member (report|answer) of the provider is not as/);
  });
});

describe('WhatsApp', () => {
  const whatsapp = JSON.stringify({ preset: 'whatsapp', phone_number_id: '1', token: 't' });
  const call = (...values: unknown[]) => ({
    contentType: 'application/json',
    body: JSON.stringify({ entry: values.map((value) => ({ changes: [{ field: 'messages', value }] })) }),
  });

  it('tells of several messages in one call, each by its id', () => {
    const told = call(
      {
        statuses: [
          { status: 'sent', biz_opaque_callback_data: 'one' },
          { status: 'delivered', biz_opaque_callback_data: 'two' },
        ],
      },
      { statuses: [{ status: 'failed', biz_opaque_callback_data: 'three', errors: [{ title: 'no such' }] }] },
    );
    expect(reportsIn(whatsapp, told)).toEqual([
      { message: 'two', state: 'sent' },
      { message: 'three', state: 'refused', reason: 'not_delivered', words: 'failed: no such' },
    ]);
    expect(phoneAnswersIn(whatsapp, told)).toEqual([]);
  });

  it('tells of several answers in one call', () => {
    const text = (id: string, body: string) => ({ from: '15550101', id, type: 'text', text: { body } });
    const told = call({
      messages: [text('w1', 'STOP'), { from: '1', id: 'w2', type: 'image' }, text('w3', 'hi')],
    });
    expect(phoneAnswersIn(whatsapp, told)).toEqual([
      { from: '15550101', text: 'STOP', id: 'w1' },
      { from: '15550101', text: 'hi', id: 'w3' },
    ]);
    expect(reportsIn(whatsapp, told)).toEqual([]);
  });

  it.each([{}, { entry: 1 }, { entry: [null] }, { entry: [{ changes: [{ value: { statuses: ['x'] } }] }] }])(
    'tells nothing with %j',
    (body) => {
      const odd = { contentType: 'application/json', body: JSON.stringify(body) };
      expect([...reportsIn(whatsapp, odd), ...phoneAnswersIn(whatsapp, odd)]).toEqual([]);
    },
  );
});

describe('a person who has opted out at', () => {
  const manual = readFileSync(join(__dirname, '../../../../docs/messaging.md'), 'utf8');
  /** As its row of docs/messaging.md says. */
  const describedAs = (name: string): string => {
    const [, members] = new RegExp(`^\\| \\[${name}\\].*\\| \`(.*)\` \\|$`, 'm').exec(manual) ?? [];
    return JSON.stringify({ url: 'https://example.com/', json: {}, ...JSON.parse(`{${members}}`) });
  };
  const json = (body: unknown) => ({ contentType: 'application/json', body: JSON.stringify(body) });
  const number = '15550101';
  const telnyx = (status: string, ...codes: string[]) =>
    json({
      data: {
        event_type: 'message.finalized',
        payload: { to: [{ phone_number: number, status }], errors: codes.map((code) => ({ code })) },
      },
    });
  const vonage = (status: string, code: string) =>
    json({ msisdn: number, to: 'AcmeInc', messageId: 'a', status, 'err-code': code });
  const plivo = (Status: string, ErrorCode: string) =>
    form({ From: '15550100', To: number, MessageUUID: 'a', Status, ErrorCode });
  const infobip = (groupName: string, id: number) =>
    json({
      results: [{ messageId: 'a', to: number, status: { groupName }, error: { id, permanent: true } }],
    });

  it.each([
    ['Telnyx', telnyx('delivery_failed', '40300'), telnyx('delivery_failed', '40002'), telnyx('delivered')],
    ['Vonage', vonage('rejected', '9'), vonage('failed', '5'), vonage('delivered', '0')],
    ['Plivo', plivo('failed', '200'), plivo('undelivered', '30'), plivo('delivered', '000')],
    ['Infobip', infobip('UNDELIVERABLE', 603), infobip('REJECTED', 14), infobip('DELIVERED', 0)],
    ['Infobip', infobip('REJECTED', 573), infobip('EXPIRED', 255), infobip('DELIVERED', 0)],
  ])('%s is told by its code alone', (name, left, failed, delivered) => {
    const provider = describedAs(name);
    expect(reportsIn(provider, left)).toEqual([
      expect.objectContaining({ state: 'refused', optedOut: number }),
    ]);
    const [other] = reportsIn(provider, failed);
    expect(other).toMatchObject({ state: 'refused' });
    expect(other).not.toHaveProperty('optedOut');
    expect(reportsIn(provider, delivered)).toEqual([{ state: 'sent' }]);
  });

  it('Telnyx is told by the answer to a message, and at Vonage the same number there is not', () => {
    const answer = (name: string, body: object) =>
      isOptedOut(providerIn(describedAs(name)), JSON.stringify(body));
    expect(answer('Telnyx', { errors: [{ code: '40300', title: 'Blocked due to STOP message' }] })).toBe(
      true,
    );
    expect(answer('Telnyx', { errors: [{ code: '40310' }] })).toBe(false);
    expect(answer('Vonage', { messages: [{ status: '9', 'error-text': 'Partner quota exceeded' }] })).toBe(
      false,
    );
  });
});

describe('an address for a provider', () => {
  const made = 1_790_000_000_000;
  const urls = createPhoneUrls('a secret for tests only', () => made);
  const call = { ws: 'demo', app: 'shop', channel: 'sms', message: 'd/sms/p1' } as const;
  const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

  it('is read as it was signed', () => {
    const url = urls.url('https://pages.example.com', call);
    expect(url).toMatch(/^https:\/\/pages\.example\.com\/phone\/[\w-]+\.[\w-]{43}$/);
    expect(urls.read(tokenOf(url))).toEqual({ ...call, base: 'https://pages.example.com', made });
    const { message: _, ...answers } = call;
    expect(urls.read(tokenOf(urls.url('', answers)))).toEqual({ ...answers, base: '', made });
  });

  it('of an earlier version says neither where it is nor when it was made', () => {
    const { sign } = createSigned('a secret for tests only', 'roster phone 1');
    expect(urls.read(sign(['demo', 'shop', 'sms', 'd/sms/p1']))).toEqual(call);
  });

  it('is nothing when any part of it is another, or it is of another installation', () => {
    const token = tokenOf(urls.url('', call));
    const [payload] = tokenOf(urls.url('', { ...call, ws: 'other' })).split('.');
    const [, signature] = token.split('.');
    for (const wrong of [`${payload}.${signature}`, '', '.', `${token}.`, `${token}=`, 'x'.repeat(5000)])
      expect(urls.read(wrong)).toBeUndefined();
    expect(createPhoneUrls('another secret of tests').read(token)).toBeUndefined();
  });
});
