/** Signed by hand here; one that the messaging service has sent is read in e2e/src/whole/client.test.ts. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { listening } from '@roster/testkit';
import express from 'express';
import { Roster, WebhookError } from './index.ts';

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const secret = secretOf(7);

interface Sent {
  id: string;
  time: number;
  body: string;
}

const signatureHeaders = (key: string, { id, time, body }: Sent): Record<string, string> => {
  const seconds = String(Math.floor(time / 1000));
  const bytes = key.startsWith('whsec_') ? Buffer.from(key.slice(6), 'base64') : key;
  const digest = createHmac('sha256', bytes).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${digest}` };
};

const roster = new Roster({ url: 'http://127.0.0.1:9', webhookSecret: secret });
const body = JSON.stringify({ name: 'Zoë', n: 1 });
const sent = { id: 'm1', time: Date.now(), body };

it('a webhook of Roster is read: its id, its time and what it says', async () => {
  const headers = signatureHeaders(secret, sent);
  const expected = { id: 'm1', time: new Date(Math.floor(sent.time / 1000) * 1000), body: JSON.parse(body) };
  expect(await roster.webhooks.unwrap(body, headers)).toEqual(expected);
  expect(await roster.webhooks.unwrap(Buffer.from(body), new Headers(headers))).toEqual(expected);
  const inCapitals = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const capitalMap = new Map(Object.entries(inCapitals));
  for (const given of [inCapitals, capitalMap, new Map(Object.entries(headers))])
    expect(await roster.webhooks.unwrap(body, given)).toEqual(expected);
});

it('is read from a request of express, and a test call made by sign is taken', async () => {
  const app = express();
  app.post('/hook', express.text({ type: '*/*' }), async (request, response) => {
    response.json(await roster.webhooks.unwrap(request.body, request));
  });
  const server = createServer(app);
  const url = await listening(server);
  try {
    const headers = await roster.webhooks.sign(body, { id: 'm7' });
    const answer = await fetch(`${url}/hook`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ id: 'm7', body: { name: 'Zoë' } });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('a test call is signed as Roster signs, by the first of several secrets', async () => {
  const time = new Date(Math.floor(sent.time / 1000) * 1000);
  const secrets = [secret, secretOf(8)];
  const made = await roster.webhooks.sign(Buffer.from(body), { id: 'm1', time, secret: secrets });
  expect(made).toEqual(signatureHeaders(secret, sent));
  const { 'webhook-id': id } = await roster.webhooks.sign(body);
  expect((await roster.webhooks.sign(body))['webhook-id']).not.toBe(id);
});

it('a body that was parsed before is a mistake of the receiver', async () => {
  const parsed = JSON.parse(body);
  await expect(roster.webhooks.unwrap(parsed, good)).rejects.toThrow('as it arrived, not parsed');
});

it('its body may be any text, and its secret too', async () => {
  const plain = { ...sent, body: 'Hello' };
  const headers = signatureHeaders('a plain secret', plain);
  const { body } = await roster.webhooks.unwrap('Hello', headers, { secret: 'a plain secret' });
  expect(body).toBe('Hello');
});

it('two secrets count while one of them is exchanged, and one signature of several is enough', async () => {
  const headers = signatureHeaders(secret, sent);
  const secrets = [secretOf(8), secret];
  await roster.webhooks.unwrap(body, headers, { secret: secrets });
  const several = `v1a,x v1,AAAA ${headers['webhook-signature']}`;
  await roster.webhooks.unwrap(body, { ...headers, 'webhook-signature': several });
});

const good = signatureHeaders(secret, sent);
const signed = (signature: string | undefined) => ({ ...good, 'webhook-signature': signature });
const old = signatureHeaders(secret, { ...sent, time: sent.time - 600_000 });
it.each([
  ['another body', `${body} `, good, 'WEBHOOK_SIGNATURE_WRONG', 'the signature is wrong'],
  ['another id', body, { ...good, 'webhook-id': 'm2' }, 'WEBHOOK_SIGNATURE_WRONG', 'the signature is wrong'],
  [
    'another secret',
    body,
    signatureHeaders(secretOf(8), sent),
    'WEBHOOK_SIGNATURE_WRONG',
    'the signature is wrong',
  ],
  [
    'a signature that is no base64',
    body,
    signed('v1,%%%'),
    'WEBHOOK_SIGNATURE_WRONG',
    'the signature is wrong',
  ],
  [
    'no signature',
    body,
    signed(undefined),
    'WEBHOOK_HEADER_MISSING',
    'the header webhook-signature is missing',
  ],
  ['an old one', body, old, 'WEBHOOK_TIME_WRONG', 'its time is too far from now'],
  [
    'a later time',
    body,
    { ...good, 'webhook-timestamp': '9999999999' },
    'WEBHOOK_SIGNATURE_WRONG',
    'the signature is wrong',
  ],
])('%s is refused', async (_, text, headers, code, message) => {
  const error = await roster.webhooks.unwrap(text, headers).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(WebhookError);
  expect(error).toMatchObject({ code, message });
});

it('an old one is read by callers that allow it', async () => {
  expect(await roster.webhooks.unwrap(body, old, { tolerance: 1e9 })).toMatchObject({ id: 'm1' });
});

it('without a secret nothing is read', async () => {
  for (const none of ['', 'whsec_%%'])
    await expect(roster.webhooks.unwrap(body, good, { secret: none })).rejects.toThrow('is no secret');
  await expect(new Roster({ url: 'http://127.0.0.1:9' }).webhooks.unwrap(body, good)).rejects.toThrow(
    "webhooks need the option 'webhookSecret'",
  );
});
