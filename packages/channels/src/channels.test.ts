import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openChannels } from './channels.ts';
import { emailIn } from './email/email-message.ts';
import { createTurns } from './turns.ts';

describe('webhooks', () => {
  let server: Server;
  let url: string;
  let connections = 0;
  const got: { method?: string | undefined; own: unknown; body: string }[] = [];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      got.push({
        method: request.method,
        own: request.headers['x-own'],
        body: Buffer.concat(parts).toString(),
      });
      response.end('x'.repeat(100));
    });
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('go out over the same connections, as the message says', async () => {
    const channels = openChannels();
    const content = { url, request_method: 'PUT', request_headers: { 'X-Own': 'yes' }, body: 'x' };
    for (let n = 0; n < 20; n++)
      expect(await channels.send('webhook', { allowPrivate: true }, { id: `${n}`, to: '', content })).toEqual(
        {
          state: 'sent',
        },
      );
    await channels.close();
    expect(got).toHaveLength(20);
    expect(got[0]).toEqual({ method: 'PUT', own: 'yes', body: 'x' });
    expect(connections).toBe(1);
  });

  it('to a private host use no connection of those who may', async () => {
    const channels = openChannels();
    const content = { url: url.replace('127.0.0.1', 'localhost'), request_method: 'POST' };
    const send = (allowPrivate: boolean) =>
      channels.send('webhook', { allowPrivate }, { id: 'x', to: '', content });
    expect(await send(true)).toEqual({ state: 'sent' });
    expect(await send(false)).toMatchObject({ state: 'refused' });
    await channels.close();
  });
});

describe('an email of the interface', () => {
  const outgoing = (content: object, more: object = {}) => ({
    id: 'd/email/p',
    to: 'ada@example.com',
    content: { from: 'a@example.com', body: '<p>Hi</p>', ...content },
    ...more,
  });

  const made = (content: object, more: object = {}) => {
    const email = emailIn(outgoing(content, more));
    if (typeof email === 'string') throw new Error(email);
    return email;
  };

  it('has a plain text beside the HTML', () => {
    expect(made({ body: '<h1>Sale</h1><p>Go <a href="https://example.com">there</a></p>' }).text).toBe(
      'SALE\n\nGo there [https://example.com]',
    );
    expect(made({ plaintext_body: 'own' }).text).toBe('own');
  });

  it('hides its preheader, also in a whole page', () => {
    expect(made({ preheader: 'Soon' }).html).toMatch(/^<div style="display:none[^>]*>Soon<\/div><p>Hi<\/p>$/);
    const page = '<html><body class="x"><p>Hi</p></body></html>';
    expect(made({ body: page, preheader: 'Soon' }).html).toMatch(/<body class="x"><div style="display:none/);
  });

  it('has styles in its tags when that is wanted', () => {
    const body = '<style>p { color: red }</style><p>Hi</p>';
    expect(made({ body, should_inline_css: true }).html).toContain('<p style="color: red;">');
    expect(made({ body }).html).toBe(body);
  });

  it('is answered to the sender when nobody shall be answered', () => {
    expect(made({ reply_to: 'NO_REPLY_TO' })).not.toHaveProperty('replyTo');
    expect(made({ reply_to: 'help@example.com' })).toHaveProperty('replyTo', {
      name: '',
      address: 'help@example.com',
    });
  });

  const oneMailbox = 'must be one email, or a name with one email in angle brackets, without Liquid';

  it.each([
    [
      'a person with two emails',
      {},
      { to: 'a@example.com, b@example.com' },
      'the email of the person is not one email',
    ],
    ['two senders', { from: 'eve@evil.example, z <a@example.com>' }, {}, `from ${oneMailbox}`],
    ['a template as its sender', { from: 'Shop <{{x}}@example.com>' }, {}, `from ${oneMailbox}`],
    ['two who are answered', { reply_to: 'a@example.com, b@example.com' }, {}, `reply_to ${oneMailbox}`],
    [
      'two who get a copy',
      { bcc: 'a@example.com,b@example.com' },
      {},
      'bcc must be one email, without Liquid',
    ],
    [
      'a header of Roster',
      { headers: { 'list-unsubscribe': '<https://evil.example>' } },
      {},
      /^the header list-unsubscribe is not allowed/,
    ],
    [
      'a header of two lines',
      { headers: { 'X-Own': 'a\r\nBcc: b@example.com' } },
      {},
      'the header X-Own must be one line without control characters',
    ],
    [
      'a header that its texts made long',
      { headers: { 'X-Own': 'x'.repeat(999) } },
      {},
      'the header X-Own must have at most 998 characters',
    ],
  ])('with %s goes to nobody', (_what, content, more, reason) => {
    expect(emailIn(outgoing(content, more))).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
  });

  it('has the headers of Roster beside those of the sender', () => {
    const ours = { 'List-Unsubscribe': '<https://example.com/u>' };
    expect(made({ headers: { 'X-Own': 'yes\n' } }, { headers: ours }).headers).toEqual({
      'X-Own': 'yes',
      ...ours,
    });
  });
});

it('no more than so many are under way under one name, and a failed one makes room', async () => {
  const inTurn = createTurns(2);
  let [under, most] = [0, 0];
  const work = async (): Promise<void> => {
    under += 1;
    most = Math.max(most, under);
    await new Promise((resolve) => setTimeout(resolve, 5));
    under -= 1;
    throw new Error('x');
  };
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => inTurn('a', work)));
  expect(all.every(({ status }) => status === 'rejected')).toBe(true);
  expect(most).toBe(2);
});
