/** Signed by hand here; one that the messaging service has sent is read in e2e/src/whole/client.test.ts. */
import { createHmac } from 'node:crypto';
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
  expect(await roster.webhooks.unwrap(body, inCapitals)).toEqual(expected);
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
  ['another body', `${body} `, good, 'the signature is wrong'],
  ['another id', body, { ...good, 'webhook-id': 'm2' }, 'the signature is wrong'],
  ['another secret', body, signatureHeaders(secretOf(8), sent), 'the signature is wrong'],
  ['a signature that is no base64', body, signed('v1,%%%'), 'the signature is wrong'],
  ['no signature', body, signed(undefined), 'the header webhook-signature is missing'],
  ['an old one', body, old, 'its time is too far from now'],
  ['a later time', body, { ...good, 'webhook-timestamp': '9999999999' }, 'the signature is wrong'],
])('%s is refused', async (_, text, headers, message) => {
  const error = await roster.webhooks.unwrap(text, headers).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(WebhookError);
  expect(error).toMatchObject({ message });
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
