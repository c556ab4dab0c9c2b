import type { IncomingMessage, RequestListener } from 'node:http';
import { textOf, usePeer } from '@roster/testkit';
import { Webhook as Verifier } from 'standardwebhooks';
import { useConnections, writeWithoutEnd } from '../http/testbed.ts';
import { providerIn } from './provider.ts';
import { sendPhone } from './send-phone.ts';

const peer = usePeer();

const [user, password] = ['AC0123', 'a password of Twilio'];

/** As docs/messaging.md shows it, but for the server. */
const twilio = (more: object = {}) => ({
  preset: 'twilio',
  account: user,
  token: password,
  from: '+15550100',
  url: `${peer.url}/2010-04-01/Accounts/${user}/Messages.json`,
  ...more,
});

/** The part of Twilio's interface that sends a message, as strict as it is. */
const twilioDouble = (got: URLSearchParams[]): RequestListener => {
  const refuse = (status: number, code: number, message: string) => ({ status, body: { code, message } });
  const judge = (request: IncomingMessage, fields: URLSearchParams) => {
    const given = Buffer.from(`${user}:${password}`).toString('base64');
    if (request.headers.authorization !== `Basic ${given}`) return refuse(401, 20003, 'Authenticate');
    if (request.method !== 'POST' || request.url !== `/2010-04-01/Accounts/${user}/Messages.json`)
      return refuse(404, 20404, 'not found');
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      return refuse(400, 20001, 'not a form');
    if (!/^\+[1-9]\d{6,14}$/.test(fields.get('To') ?? '')) return refuse(400, 21211, "Invalid 'To'");
    if (!fields.get('Body') || (fields.get('Body') ?? '').length > 1600)
      return refuse(400, 21617, 'body of the wrong length');
    if (fields.getAll('MediaUrl').length > 10) return refuse(400, 21623, 'too many media');
    return { status: 201, body: { sid: 'SM123', status: 'queued' } };
  };
  return async (request, response) => {
    const fields = new URLSearchParams(await textOf(request));
    const { status, body } = judge(request, fields);
    if (status === 201) got.push(fields);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};

const connections = useConnections();
const send = (
  provider: object,
  content: object = { body: 'Hi & bye' },
  to = '+15550101',
  more: object = {},
) =>
  sendPhone(
    { id: 'd/sms/p1', to, report: 'https://example.com/report', content: { ...content } },
    // What a test is not about does not run out on a slow machine.
    { provider: JSON.stringify(provider), connections, timeoutMs: 60_000, ...more },
  );

it.each<[string, () => object, object, number, object]>([
  ['Twilio', twilio, { code: 21_610, message: 'Attempt to send to unsubscribed recipient' }, 400, {}],
  [
    'WhatsApp',
    () => ({ preset: 'whatsapp', phone_number_id: '1068', token: 'x', url: peer.url }),
    { error: { code: 131_050, message: 'The user has stopped marketing messages' } },
    403,
    { message: {}, message_type: 'template' },
  ],
  [
    'a provider that is described',
    () => ({ url: peer.url, json: {}, opted_out: { code: 'errors.0.code', codes: ['40300'] } }),
    { errors: [{ code: '40300', title: 'Blocked due to STOP message' }] },
    400,
    { body: 'x' },
  ],
])('%s says that a person wants no more messages', async (_, provider, body, status, content) => {
  const answer = (told: object) => {
    peer.answer = (_request, response) => void response.writeHead(status).end(JSON.stringify(told));
  };
  answer(body);
  expect(await send(provider(), { body: 'x', ...content })).toMatchObject({
    state: 'refused',
    reason: `provider_refused (${status})`,
    isOptedOut: true,
  });
  answer({ code: 21_211 });
  expect(await send(provider(), { body: 'x', ...content })).not.toHaveProperty('isOptedOut');
});

describe('a text message by the interface of Twilio', () => {
  it('arrives with its pictures, and says its id there', async () => {
    const got: URLSearchParams[] = [];
    peer.answer = twilioDouble(got);
    const media_items = ['https://example.com/a.png', 'https://example.com/b.png'];
    const sent = { state: 'sent', id: 'SM123' };
    expect(await send(twilio(), { body: 'Hi & bye {to} ä', media_items })).toEqual(sent);
    expect([...(got[0] ?? [])]).toEqual([
      ['To', '+15550101'],
      ['Body', 'Hi & bye {to} ä'],
      ['MediaUrl', media_items[0]],
      ['MediaUrl', media_items[1]],
      ['StatusCallback', 'https://example.com/report'],
      ['From', '+15550100'],
    ]);
  });

  it('may come from a pool of numbers', async () => {
    const got: URLSearchParams[] = [];
    peer.answer = twilioDouble(got);
    expect(await send(twilio({ from: 'MG0123' }))).toMatchObject({ state: 'sent' });
    expect(got[0]?.get('MessagingServiceSid')).toBe('MG0123');
    expect(got[0]?.has('From')).toBe(false);
  });

  it.each([
    [{ preset: 'pigeon' }, 'the preset of the provider must be one of twilio, whatsapp'],
    [{ token: undefined }, 'the provider has no token'],
    [
      { password: 'secret' },
      'the provider must have nothing but preset, account, token, from, help, unsigned_calls, url and tls, as texts',
    ],
    [{ url: 'ftp://secret' }, 'the member url of the provider is not as it should be'],
  ])('with %j says what is wrong', async (more, message) => {
    await expect(send(twilio(more))).rejects.toThrow(message);
  });

  it('to a wrong number is refused, with the words of the provider apart', async () => {
    peer.answer = twilioDouble([]);
    expect(await send(twilio(), { body: 'x' }, 'nobody')).toEqual({
      state: 'refused',
      reason: 'provider_refused (400)',
      words: `{"code":21211,"message":"Invalid 'To'"}`,
    });
  });

  it('with a wrong password waits for the right one', async () => {
    peer.answer = (_, response) => void response.writeHead(401).end();
    expect(await send(twilio())).toEqual({ state: 'later', reason: 'credentials_refused (401)' });
  });
});

describe('any other provider', () => {
  it('gets JSON with the parts of the message where they belong, signed', async () => {
    const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    let seen: { request: IncomingMessage; body: string } | undefined;
    peer.answer = async (request, response) => {
      seen = { request, body: await textOf(request) };
      response.end('{"messages":[{"id":17}]}');
    };
    const provider = {
      url: `${peer.url}/send/{to}`,
      method: 'PUT',
      headers: { 'X-Id': '{id}' },
      json: { to: '{to}', type: '{message_type}', '{message_type}': '{message}', all: ['{message}', 1] },
      id: 'messages.0.id',
      secret,
    };
    const content = { message_type: 'template', message: { name: 'sale "now"', n: 1 } };
    expect(await send(provider, content)).toEqual({ state: 'sent', id: '17' });
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      to: '+15550101',
      type: 'template',
      template: { name: 'sale "now"', n: 1 },
      all: [{ name: 'sale "now"', n: 1 }, 1],
    });
    const { method, url: asked, headers } = seen?.request ?? {};
    expect([method, asked, headers?.['x-id']]).toEqual(['PUT', '/send/%2B15550101', 'd/sms/p1']);
    new Verifier(secret).verify(seen?.body ?? '', headers as Record<string, string>);
  });

  const plain = () => ({ url: peer.url, json: { to: '{to}' }, id: 'sid' });

  it.each([
    [429, { 'retry-after': '7' }, { state: 'later', reason: 'rate_limited (429)', afterMs: 7000 }],
    [503, {}, { state: 'later', reason: 'provider_unavailable (503)' }],
    [302, { location: '/' }, { state: 'refused', reason: 'redirected (302)' }],
    [404, {}, { state: 'refused', reason: 'provider_refused (404)' }],
    [200, {}, { state: 'sent' }],
  ])('that answers %s', async (status, headers, wanted) => {
    peer.answer = (_, response) => response.writeHead(status, headers as Record<string, string>).end();
    expect(await send(plain())).toEqual(wanted);
  });

  it('that never answers leaves it unknown, and one that never ends its answer does not hold it up', async () => {
    peer.answer = () => {};
    const soon = { timeoutMs: 500 };
    expect(await send(plain(), {}, '+15550101', soon)).toMatchObject({ state: 'unknown' });
    peer.answer = (_, response) => void response.write('{"sid":"SM');
    expect(await send(plain(), {}, '+15550101', soon)).toMatchObject({ state: 'sent' });
  });

  it('with an answer without end is read up to a bound', async () => {
    peer.answer = (_, response) => writeWithoutEnd(response);
    expect(await send(plain())).toEqual({ state: 'sent' });
  });

  it.each([
    ['no JSON', 'the provider is not a JSON object'],
    ['[]', 'the provider is not a JSON object'],
    ['{"json":{}}', 'the provider has no url'],
    ['{"url":"https://x"}', 'the provider must have either form or json'],
    ['{"url":"https://x","form":{},"json":{}}', 'the provider must have either form or json'],
    ['{"url":"ftp://secret","json":{}}', 'the member url of the provider is not as it should be'],
    ['{"url":"https://x","json":{},"pass":"secret"}', /^the provider has a member that is none/],
  ])('written down as %s is told apart', async (provider, message) => {
    const wrong = sendPhone({ id: 'x', to: '', content: {} }, { provider, connections });
    await expect(wrong).rejects.toThrow(message);
    await wrong.catch((error: Error) => expect(error.message).not.toContain('secret'));
  });
});

describe('a provider elsewhere', () => {
  const described = (url: string, more: object = {}) =>
    JSON.stringify({ url, user, password, json: { to: '{to}' }, ...more });
  const preset = (more: object) =>
    JSON.stringify({ preset: 'twilio', account: user, token: password, from: '+15550100', ...more });

  it.each([
    described('http://sms.example.com/messages'),
    described('http://10.0.0.7:13013/{to}'),
    described('http://localhost@sms.example.com/'),
    described('http://127.0.0.1.example.com/'),
    preset({ url: 'http://twilio.example.com/Messages.json' }),
  ])('gets no password in clear: %s', async (provider) => {
    const sent = sendPhone(
      { id: 'd/sms/p1', to: '+15550101', report: '', content: { body: 'Hi' } },
      { provider, connections },
    );
    await expect(sent).rejects.toThrow('must begin with https://');
  });

  it.each([
    described('http://sms.example.com/messages', { tls: 'off' }),
    preset({ url: 'http://twilio.example.com/Messages.json', tls: 'off' }),
    described('https://sms.example.com/messages'),
    described('http://localhost:8080/messages'),
    described('http://[::1]/messages'),
  ])('is asked: %s', (provider) => {
    expect(providerIn(provider).url).toContain('://');
  });
});
