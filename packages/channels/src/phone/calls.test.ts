import { createSigned } from '../signed.ts';
import { phoneAnswersIn, reportsIn } from './calls.ts';
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
