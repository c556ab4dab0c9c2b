/** A stored message is shown as its provider would get it: by servers of our own, which get what leaves. */
import { textOf, usePeer } from '@roster/testkit';
import { SMTPServer } from 'smtp-server';
import { openChannels } from './channels.ts';
import type { Outgoing } from './outgoing.ts';
import { openPreviews } from './previews.ts';

const message = {
  id: 'd1/email/ada',
  to: 'ada@example.com',
  headers: { 'List-Unsubscribe': '<https://example.com/u>' },
  content: {
    ...{ from: 'Shop <news@shop.example>', subject: 'Grüße', preheader: 'Soon', should_inline_css: true },
    body: '<style>p { color: red }</style><p>Hi</p>',
    headers: { 'X-Own': 'yes' },
  },
};

const channels = openChannels();
const previews = openPreviews();
afterAll(() => Promise.all([channels.close(), previews.close()]));

/** What a mail server gets. */
const received = async (): Promise<string> => {
  let text = '';
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData(stream, _session, done) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      stream.on('end', done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const answer = await channels.send('email', { smtp: `smtp://127.0.0.1:${port}` }, message);
  expect(answer.state).toBe('sent');
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return text;
};

/** They are of the moment, or by chance. */
const steady = (text: string): string => text.replace(/^Date: .*$/m, '').replace(/boundary=.*$/m, '');

it('an email has the headers, the HTML and the text that a mail server gets', async () => {
  const shown = await previews.leaving('email', message);
  if (shown?.is !== 'email') throw new Error('it is no email');
  const mail = await received();
  expect(steady(shown.headers)).toBe(steady(mail.slice(0, mail.indexOf('\r\n\r\n'))));
  expect(shown.headers).toContain('List-Unsubscribe: <https://example.com/u>');
  const decoded = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  for (const part of [shown.html, shown.text]) expect(decoded).toContain(part);
  expect(shown.html).toContain('<p style="color: red;">Hi</p>');
});

it('says why it would be refused', async () => {
  const content = { ...message.content, from: 'nobody' };
  expect(await previews.leaving('email', { ...message, content })).toMatchObject({ is: 'refused' });
});

const peer = usePeer();

/** What a server gets, by the channels that send. */
const requestAt = async <Name extends 'sms' | 'whats_app' | 'webhook'>(
  channel: Name,
  credentials: Parameters<typeof channels.send<Name>>[1],
  sent: Outgoing,
) => {
  let got: { method?: string; headers: object; body: string } | undefined;
  peer.answer = async (request, response) => {
    const { method = '', headers } = request;
    got = { method, headers, body: await textOf(request) };
    response.end('{}');
  };
  expect(await channels.send(channel, credentials, sent)).toMatchObject({ state: 'sent' });
  return got;
};

/** They belong to the connection. */
const withoutConnection = (headers: object = {}): object => {
  const { host, connection, 'content-length': length, ...others } = headers as Record<string, string>;
  return others;
};

const toPhone = { id: 'd1/sms/ada', to: '+15550101' };
const report = 'https://pages.example/phone/signed';

it('a text message is the request that Twilio gets, with its size and without credentials', async () => {
  const content = { body: 'Grüße {Ada} €', media_items: [] };
  const shown = await previews.leaving('sms', { ...toPhone, content });
  if (shown?.is !== 'request') throw new Error('it is no request');
  const credential = { preset: 'twilio', account: 'AC1', token: 'secret', from: '+15550100' };
  const provider = JSON.stringify({ ...credential, url: peer.url });
  const got = await requestAt('sms', { provider }, { ...toPhone, content, report });
  const hidden = new URLSearchParams(got?.body);
  for (const name of ['From', 'StatusCallback']) hidden.set(name, '***');
  expect(shown.request.body).toBe(hidden.toString());
  expect(shown.request.method).toBe(got?.method);
  expect(shown.request.headers).toEqual({ ...withoutConnection(got?.headers), authorization: 'Basic ***' });
  expect(shown.request.url).toBe('https://api.twilio.com/2010-04-01/Accounts/***/Messages.json');
  expect(shown.about).toEqual({ encoding: 'GSM-7', characters: '13 (counted as 16)', segments: '1' });
});

it('a text message with pictures is an MMS', async () => {
  const content = { body: 'ё', media_items: ['https://example.com/a.png'] };
  const shown = await previews.leaving('sms', { ...toPhone, content });
  expect(shown).toMatchObject({ about: { encoding: 'UCS-2', characters: '1', pictures: '1, as MMS' } });
});

/** As the documentation of the Cloud API shows it. */
const template = {
  name: 'order_confirmation',
  language: { code: 'en_US' },
  components: [
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.png' } }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Ada' },
        { type: 'currency', currency: { fallback_value: '$1.99', code: 'USD', amount_1000: 1990 } },
        { type: 'text', parameter_name: 'day', text: 'Monday' },
      ],
    },
    {
      type: 'button',
      sub_type: 'quick_reply',
      index: '0',
      parameters: [{ type: 'payload', payload: 'aGlzIHRoaXMgaXMg' }],
    },
  ],
};

it('a WhatsApp message is the request of the Cloud API, with its template and parameters', async () => {
  const sent = { ...toPhone, content: { message_type: 'template', message: template } };
  const shown = await previews.leaving('whats_app', sent);
  if (shown?.is !== 'request') throw new Error('it is no request');
  const credential = { preset: 'whatsapp', phone_number_id: '106', token: 'secret' };
  const provider = JSON.stringify({ ...credential, url: peer.url });
  const got = await requestAt('whats_app', { provider }, { ...sent, report });
  expect(shown.request.body).toBe(got?.body);
  expect(shown.request.headers).toEqual({ ...withoutConnection(got?.headers), authorization: 'Bearer ***' });
  expect(shown.about).toEqual({
    template: 'order_confirmation',
    language: 'en_US',
    'header: 1': 'https://example.com/a.png',
    'body: 1': 'Ada',
    'body: 2': '$1.99',
    'body: day': 'Monday',
    'button quick_reply 0: 1': 'aGlzIHRoaXMgaXMg',
  });
});

it.each<unknown>([
  undefined,
  null,
  'x',
  [],
  { components: [null, { parameters: {} }, { parameters: [null] }] },
])('a template of another form is shown as it is: %j', async (message) => {
  const sent = { ...toPhone, content: { message_type: 'template', message } };
  expect(await previews.leaving('whats_app', sent)).toMatchObject({ is: 'request' });
});

it('a webhook is the request that its server gets, without credentials', async () => {
  const request_headers = {
    ...{ Authorization: 'Bearer t0', 'X-Api-Key': 'k1', Cookie: 'a=b', 'X-Own': 'yes' },
    'Idempotency-Key': 'i1',
  };
  const url = `${peer.url.replace('//', '//ada:pw@')}/hook?to=x&api_key=k2`;
  const content = { url, request_method: 'PUT', request_headers, body: '{"a": "ä"}' };
  const sent = { id: 'd1/webhook/ada', to: '', content };
  const shown = await previews.leaving('webhook', sent);
  if (shown?.is !== 'request') throw new Error('it is no request');
  const got = await requestAt('webhook', { allowPrivate: true }, sent);
  const { request } = shown;
  expect(request).toMatchObject({ method: got?.method, body: got?.body });
  expect(withoutConnection(got?.headers)).toMatchObject({ authorization: 'Bearer t0', 'x-api-key': 'k1' });
  expect(request.headers).toEqual({
    ...withoutConnection(got?.headers),
    ...{ authorization: 'Bearer ***', 'x-api-key': '***', cookie: '***' },
  });
  expect(request.url).toBe(`${peer.url.replace('//', '//***@')}/hook?to=x&api_key=***`);
});

it('a content card has none: it goes nowhere', async () => {
  expect(await previews.leaving('content_card', message)).toBeUndefined();
});
