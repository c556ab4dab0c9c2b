import type { IncomingMessage } from 'node:http';
import { textOf, usePeer } from '@roster/testkit';
import { Webhook as Verifier } from 'standardwebhooks';
import { isPrivate } from '../http/private-ips.ts';
import { useConnections } from '../http/testbed.ts';
import { sendWebhook, type WebhookOptions } from './send-webhook.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const peer = usePeer();
let url: string;
let asked = 0;
beforeEach(() => {
  url = `${peer.url}/hook`;
  asked = 0;
});

const connections = useConnections();
const send = (content: object = {}, options: Partial<WebhookOptions> = {}) =>
  sendWebhook(
    { id: 'msg_1', to: '', content: { url, body: '{"a":"ä"}', ...content } },
    { secret, connections, allowPrivate: true, timeoutMs: 60_000, ...options },
  );

const answering = (status: number, headers: Record<string, string> = {}): void => {
  peer.answer = (_, response) => {
    asked += 1;
    response.writeHead(status, headers).end();
  };
};

describe('a webhook', () => {
  it('arrives whole, signed so that a library of others verifies it', async () => {
    let seen: { request: IncomingMessage; body: string } | undefined;
    peer.answer = async (request, response) => {
      seen = { request, body: await textOf(request) };
      response.writeHead(204).end();
    };
    const headers = { 'X-Own': 'yes', 'Webhook-Signature': 'v1,forged', Host: 'elsewhere.example' };
    expect(await send({ request_headers: headers })).toEqual({ state: 'sent' });
    const received = seen?.request.headers as Record<string, string>;
    expect(new Verifier(secret).verify(seen?.body ?? '', received)).toEqual({ a: 'ä' });
    expect(received).toMatchObject({ 'webhook-id': 'msg_1', 'x-own': 'yes', host: new URL(url).host });
    expect(() => new Verifier(secret).verify('{"a":"b"}', received)).toThrow();
  });

  it.each([
    [200, 'sent'],
    [400, 'refused'],
    [404, 'refused'],
    [408, 'later'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'],
  ])('that is answered %i is %s', async (status, state) => {
    answering(status);
    expect(await send()).toMatchObject({ state });
  });

  it.each([
    ['7', 7_000],
    [new Date(1_000_030_000).toUTCString(), 30_000],
    ['soon', undefined],
  ])('waits as long as it is told to: %s', async (after, afterMs) => {
    answering(503, { 'Retry-After': after });
    expect((await send({}, { now: () => 1_000_000_000 })) as { afterMs?: number }).toEqual({
      state: 'later',
      reason: 'provider_unavailable (503)',
      ...(afterMs !== undefined && { afterMs }),
    });
  });

  it('follows no redirect', async () => {
    answering(302, { Location: '/else' });
    expect(await send()).toEqual({
      state: 'refused',
      reason: 'redirected (302)',
    });
    expect(asked).toBe(1);
    answering(304);
    expect(await send()).toEqual({ state: 'refused', reason: 'provider_refused (304)' });
  });

  it('may have been taken when the receiver is silent, and was not when there is none', async () => {
    peer.answer = () => {};
    expect(await send({}, { timeoutMs: 500 })).toMatchObject({ state: 'unknown', reason: 'no_answer' });
    const away = await send({ url: 'http://127.0.0.1:1/' });
    expect(away).toMatchObject({ state: 'later', reason: 'no_connection' });
    peer.answer = (request) => request.socket.destroy();
    expect(await send()).toMatchObject({ state: 'unknown', reason: 'connection_lost' });
  });

  it('does not wait for an answer that never ends', async () => {
    let written = 0;
    const closed = new Promise<void>((resolve) => {
      peer.answer = (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => {
          written += 8192;
          response.write(Buffer.alloc(8192));
        }, 1);
        response.on('close', () => {
          clearInterval(timer);
          resolve();
        });
      };
    });
    expect(await send()).toEqual({ state: 'sent' });
    await closed;
    expect(written).toBeLessThan(4_000_000);
  });

  it.each(['ftp://example.com/', 'example.com', ''])('needs a URL of the web: %s', async (wrong) => {
    expect(await send({ url: wrong })).toEqual({
      state: 'refused',
      reason: 'request_invalid',
      words: 'the URL must begin with https:// or http://',
    });
  });

  it('with a header that cannot be sent is refused', async () => {
    expect(await send({ request_headers: { 'x-own': 'a\nb' } })).toMatchObject({ state: 'refused' });
  });

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '169.254.169.254'])(
    'does not reach %s unless that is allowed',
    async (host) => {
      answering(200);
      const hidden = url.replace('127.0.0.1', host);
      const answer = await send({ url: hidden }, { allowPrivate: false });
      expect(answer).toEqual({ state: 'refused', reason: 'private_network' });
      expect(asked).toBe(0);
    },
  );

  it('tells of a name in a private network what it tells of one that nobody has', async () => {
    answering(200);
    for (const host of ['localhost', 'nobody.invalid'])
      expect(await send({ url: url.replace('127.0.0.1', host) }, { allowPrivate: false })).toEqual({
        state: 'later',
        reason: 'no_connection',
        words: `the host ${host} was not found, or is in a private network`,
      });
    expect(asked).toBe(0);
  });
});

it.each([
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['8.8.8.8', false],
  ['fe80::1', true],
  ['fd00::1', true],
  ['::', true],
  ['64:ff9b::a00:1', true],
  ['2002:a00:1::', true],
  ['2606:4700::1111', false],
])('%s is private: %s', (ip, expected) => {
  expect(isPrivate(ip)).toBe(expected);
});
