/** No way leads a credential into what callers read, and none leads it into the words that operators read. */
import type { IncomingMessage } from 'node:http';
import { listening, textOf, usePeer } from '@roster/testkit';
import { SMTPServer } from 'smtp-server';
import { openChannels, type ProviderChannel } from './channels.ts';
import type { Credentials } from './credentials.ts';
import type { Answer } from './outgoing.ts';
import { reportsIn } from './phone/calls.ts';

const secret = 'q7Xw+/pL2 äZ"kR9vT4';
const account = 'ACshop0123456';

const channels = openChannels();
afterAll(() => channels.close());

const send = <Name extends ProviderChannel>(
  channel: Name,
  credentials: Credentials[Name],
  content: Record<string, unknown> = { body: 'Hi' },
): Promise<Answer> => channels.send(channel, credentials, { id: 'd/x/p', to: '+15550101', content });

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** 8 characters in a row, of any form of it. */
const pieces = [
  ...[secret, encodeURIComponent(secret)],
  ...[secret, `${account}:${secret}`, `\0shop\0${secret}`].map(inBase64),
].flatMap((form) => Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8)));

const isPublic = /^[a-z_]+( \(\d{1,6}\))?$/;

/** What the peer has said is there, so it was read; and nothing of the secret is. */
const expectHidden = (answer: Answer): void => {
  if (answer.state === 'sent') throw new Error('it was sent');
  expect(answer.reason).toMatch(isPublic);
  expect(answer.words).toContain('peer says');
  for (const piece of pieces) expect(answer.words?.toLowerCase()).not.toContain(piece.toLowerCase());
};

describe('a provider that repeats what it was told', () => {
  const peer = usePeer();
  const json = { to: '{to}', text: '{body}' };
  const basic = inBase64(`${account}:${secret}`);

  const echoing = (echo: (request: IncomingMessage, body: string) => string, status = 401) => {
    peer.answer = async (request, response) => {
      const said = echo(request, await textOf(request));
      response.writeHead(status).end(`peer says: ${said}`);
    };
  };

  it.each<[string, object, (request: IncomingMessage, body: string) => string]>([
    ['a bare token', { headers: { Authorization: secret } }, () => secret],
    ['a token after its scheme', { headers: { 'X-Auth': `Bearer ${secret}` } }, () => secret],
    [
      'its headers',
      { headers: { 'X-Key': encodeURIComponent(secret) } },
      ({ headers }) => JSON.stringify(headers),
    ],
    ['a key in the path', { path: `/${encodeURIComponent(secret)}/send` }, ({ url = '' }) => url],
    ['a key in the path, decoded', { path: `/${encodeURIComponent(secret)}/send` }, () => secret],
    ['a key in the query', { path: `/?key=${encodeURIComponent(secret)}` }, ({ url = '' }) => url],
    ['a key in the query, decoded', { path: `/?key=${encodeURIComponent(secret)}` }, () => secret],
    ['a key in the body', { json: { ...json, auth: { key: secret } } }, (_, body) => body],
    ['a key in a form', { json: undefined, form: { to: '{to}', key: secret } }, (_, body) => body],
    ['base64 of Basic', { user: account, password: secret }, ({ headers }) => String(headers.authorization)],
    ['a password of Basic', { user: account, password: secret }, () => secret],
    ['Basic in a header', { headers: { Authorization: `Basic ${basic}` } }, () => secret],
    ['the secret that signs', { secret }, () => secret],
    ['a key in capitals', { headers: { Authorization: secret } }, () => secret.toUpperCase()],
    ['a key in JSON', { headers: { Authorization: secret } }, () => JSON.stringify({ got: secret })],
    ['half of a key', { headers: { Authorization: secret } }, () => secret.slice(3, 15)],
  ])('shows nothing of it: %s', async (_, more, echo) => {
    const { path = '/', ...members } = more as { path?: string };
    echoing(echo);
    const provider = JSON.stringify({ url: `${peer.url}${path}`, json, ...members });
    expectHidden(await send('sms', { provider }));
  });

  it('shows nothing of it in the id of a message', async () => {
    peer.answer = (_, response) => void response.end(JSON.stringify({ id: `m-17 ${secret}` }));
    const provider = JSON.stringify({ url: peer.url, json, id: 'id', headers: { Authorization: secret } });
    expect(await send('sms', { provider })).toEqual({ state: 'sent', id: 'm-17 ***' });
  });

  it('shows nothing of it in a later report', () => {
    const report = { state: 'state', failed: ['failed'], delivered: [], reason: 'why' };
    const provider = JSON.stringify({ url: peer.url, json, password: secret, report });
    const body = JSON.stringify({ state: 'failed', why: `peer says: ${secret}` });
    const [told] = reportsIn(provider, { contentType: 'application/json', body });
    expect(told).toEqual({ state: 'refused', reason: 'not_delivered', words: 'failed: peer says: ***' });
  });

  it('shows nothing of a webhook, whose answer is not read', async () => {
    echoing(({ url = '', headers }) => `${url} ${JSON.stringify(headers)}`);
    const url = peer.url.replace('//', `//shop:${encodeURIComponent(secret)}@`);
    const request_headers = { 'X-Key': encodeURIComponent(secret) };
    const answer = await send('webhook', { secret, allowPrivate: true }, { url, request_headers });
    expect(answer).toEqual({ state: 'refused', reason: 'provider_refused (401)' });
  });
});

it.each([
  ['PLAIN', ({ username, password }: { username: string; password: string }) => `\0${username}\0${password}`],
  ['LOGIN', ({ password }: { username: string; password: string }) => password],
])('a mail server that repeats the AUTH %s shows nothing of it', async (method, repeated) => {
  const server = new SMTPServer({
    ...{ authMethods: [method], allowInsecureAuth: true, disabledCommands: ['STARTTLS'] },
    onAuth({ username, password }, _, done) {
      const said = repeated({ username: `${username}`, password: `${password}` });
      done(new Error(`peer says: no ${inBase64(said)} nor ${password}`));
    },
  });
  server.on('error', () => {});
  const host = (await listening(server.server)).replace('http://', '');
  const smtp = `smtp://shop:${encodeURIComponent(secret)}@${host}`;
  const content = { from: 'news@shop.example', subject: 'x', body: 'x' };
  const answer = await channels.send('email', { smtp }, { id: 'd/email/p', to: 'ada@example.com', content });
  expect(answer).toMatchObject({ state: 'later', reason: 'credentials_refused (535)' });
  expectHidden(answer);
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

it('a credential that is none says so, without its text', async () => {
  const answer = await send('sms', { provider: `{"preset":"twilio","token":"${account}"}` });
  expect(answer).toEqual({
    state: 'later',
    reason: 'credentials_unreadable',
    words: 'the provider has no account',
  });
});
