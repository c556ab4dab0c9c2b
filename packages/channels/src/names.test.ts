/** Hosts of messages are looked up at a name server, and not by `getaddrinfo`, for all channels. */
import { lookup } from 'node:dns/promises';
import {
  appleKey,
  countSystemLookups,
  createSignal,
  listening,
  openApns,
  openGoogle,
  until,
  useNameServer,
  usePeer,
} from '@roster/testkit';
import { SMTPServer } from 'smtp-server';
import { generateVAPIDKeys } from 'web-push';
import { openChannels, type ProviderChannel } from './channels.ts';
import type { Credentials } from './credentials.ts';
import type { Answer } from './outgoing.ts';
import { openPushService } from './web/testbed.ts';

const outOfReachMs = 600_000;

const server = useNameServer();
const peer = usePeer();

const named = (url: string): string => url.replace('127.0.0.1', 'peer.example');

type Channels = ReturnType<typeof openChannels>;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const open = (more: object = {}): Channels => {
  const names = { servers: server.servers, families: () => [4] as const, limitMs: outOfReachMs, ...more };
  const channels = openChannels({ names });
  closing.push(() => channels.close());
  return channels;
};

beforeEach(() => {
  server.answer = ({ name }) => {
    if (name.startsWith('silent')) return undefined;
    return name === 'peer.example' ? { records: [{ type: 'A', data: '127.0.0.1' }] } : { code: 3 };
  };
});

interface Case<Name extends ProviderChannel = ProviderChannel> {
  /** In its place: a provider may refuse a token that was made for another host. It was asked. */
  refusal?: RegExp;
  channel: Name;
  credentials: Credentials[Name];
  to?: string;
  content: object;
}

const aCase = <Name extends ProviderChannel>(one: Case<Name>): Case => one as unknown as Case;

const cases: Readonly<Record<string, () => Promise<Case>>> = {
  webhook: async () =>
    aCase({
      channel: 'webhook',
      credentials: { allowPrivate: true },
      content: { url: named(peer.url), request_method: 'POST', body: 'x' },
    }),
  sms: async () =>
    aCase({
      channel: 'sms',
      credentials: {
        provider: JSON.stringify({
          preset: 'twilio',
          account: 'a',
          token: 'b',
          from: '+15550100',
          url: named(peer.url),
          tls: 'off',
        }),
      },
      to: '+15550101',
      content: { body: 'x' },
    }),
  ios_push: async () => {
    const apns = await openApns();
    closing.push(apns.close);
    return aCase({
      channel: 'ios_push',
      credentials: { ...appleKey, url: named(apns.url) },
      to: 'a1'.repeat(32),
      content: { alert: 'x' },
    });
  },
  droid_push: async () => {
    const google = await openGoogle();
    closing.push(google.close);
    return aCase({
      channel: 'droid_push',
      credentials: { account: JSON.stringify(google.account), url: named(google.url) },
      to: 'a-token',
      content: { alert: 'x', title: 'y' },
    });
  },
  'droid_push, whose token is asked for first,': async () => {
    const google = await openGoogle();
    closing.push(google.close);
    const account = {
      ...google.account,
      token_uri: named(google.account.token_uri).replace('http:', 'https:'),
    };
    return aCase({
      channel: 'droid_push',
      credentials: { account: JSON.stringify(account), url: google.url },
      to: 'a-token',
      content: { alert: 'x', title: 'y' },
      // The double speaks no TLS.
      refusal: /^tls_failed$/,
    });
  },
  web_push: async () => {
    const service = await openPushService();
    closing.push(service.close);
    const { publicKey: public_key, privateKey: private_key } = generateVAPIDKeys();
    const keys = { public_key, private_key, contact: 'mailto:push@example.com', allowPrivate: true };
    const { endpoint, ...rest } = service.subscription;
    return aCase({
      channel: 'web_push',
      credentials: keys,
      to: JSON.stringify({ ...rest, endpoint: named(endpoint) }),
      content: { alert: 'x', title: 'y' },
      refusal: /^(credentials|provider)_refused \(4|^device_gone \(4/,
    });
  },
  email: async () => {
    const smtp = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      onData: (stream, _, done) => void stream.resume().on('end', () => done()),
    });
    closing.push(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
    const url = (await listening(smtp.server)).replace('http:', 'smtp:');
    return aCase({
      channel: 'email',
      credentials: { smtp: named(url) },
      to: 'ada@example.com',
      content: { from: 'a@example.com', subject: 'Hi', body: '<p>Hi</p>' },
    });
  },
};

const send = (
  channels: Channels,
  { channel, credentials, to = '', content }: Case,
  ws = 'a',
): Promise<Answer> =>
  channels.send(channel, credentials, {
    id: 'd/1',
    to,
    content: { ...content },
    leave: { ws, until: performance.now() + outOfReachMs },
  });

describe.each(Object.keys(cases))('a message by %s', (name) => {
  it('reaches a host that only the name server knows, without a look-up of the system', async () => {
    const channels = open();
    const one = (await cases[name]?.()) as Case;
    const system = countSystemLookups();
    const answer = await send(channels, one);
    const count = system.count();
    // The control: what is counted.
    await lookup('localhost');
    expect(system.count()).toBe(count + 1);
    system.end();
    expect(count).toBe(0);
    expect(server.asked.map((question) => question.name)).toContain('peer.example');
    const { refusal } = one;
    expect(answer).toMatchObject(refusal ? { reason: expect.stringMatching(refusal) } : { state: 'sent' });
  });
});

const webhook = (host: string): Case =>
  aCase({
    channel: 'webhook',
    credentials: { allowPrivate: true },
    content: { url: peer.url.replace('127.0.0.1', host), request_method: 'POST', body: 'x' },
  });

it.each([
  ['that nobody has', 'nobody.example', {}, 'name_not_found'],
  ['whose name server is silent', 'silent.example', { limitMs: 20 }, 'name_timeout'],
])('a message to a host %s comes later, when it is looked up again', async (_, host, options, reason) => {
  const answer = await send(open(options), webhook(host));
  expect(answer).toEqual({
    state: 'later',
    reason,
    words: expect.stringContaining(host),
    afterMs: expect.any(Number),
  });
});

it('a message to a host that was not found in its time has not begun', async () => {
  const answer = await open().send(
    'webhook',
    { allowPrivate: true },
    {
      id: 'd/1',
      to: '',
      content: { url: 'http://silent.example/', request_method: 'POST' },
      leave: { ws: 'a', until: performance.now() + 20 },
    },
  );
  expect(answer).toMatchObject({ state: 'later', reason: 'busy', unbegun: true });
});

it('a name that leads into a private network is judged by the IP that is connected to', async () => {
  let asked = 0;
  peer.answer = (_, response) => {
    asked += 1;
    response.end();
  };
  const channels = open();
  const { content } = webhook('peer.example');
  const message = { id: 'x', to: '', content: { ...content } };
  expect(await channels.send('webhook', { allowPrivate: false }, message)).toEqual({
    state: 'later',
    reason: 'no_connection',
    words: 'the host peer.example was not found, or is in a private network',
  });
  expect(asked).toBe(0);
  expect(await channels.send('webhook', { allowPrivate: true }, message)).toEqual({ state: 'sent' });
});

it('a name that leads into a private network only when it is connected to is judged then', async () => {
  const channels = open({ leastMs: 0, mostMs: 0, spareMs: 0 });
  const { content } = webhook('peer.example');
  const send = (allowPrivate: boolean) => {
    server.asked.length = 0;
    server.answer = () => {
      const isFirst = server.asked.length === 1;
      return { records: [{ type: 'A', data: isFirst ? '93.184.215.14' : '127.0.0.1' }] };
    };
    return channels.send('webhook', { allowPrivate }, { id: 'x', to: '', content: { ...content } });
  };
  expect(await send(false)).toMatchObject({
    reason: 'no_connection',
    words: expect.stringMatching(/private network$/),
  });
  expect(server.asked).toHaveLength(2);
  // The control: it is the second IP that is connected to.
  expect(await send(true)).toEqual({ state: 'sent' });
});

it('messages to silent names of one workspace take no place at a server, and no look-up of another one', async () => {
  const { given, give } = createSignal();
  peer.answer = (_, response) => {
    give();
    response.end();
  };
  const channels = open();
  for (let n = 0; n < 1_100; n++) void send(channels, webhook(`silent-${n % 6}.example`), 'loud');
  await until(() => server.asked.length >= 4);
  expect(await send(channels, webhook('peer.example'), 'other')).toEqual({ state: 'sent' });
  await given;
});
