import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { openNames } from '@roster/names';
import { certificateFor, listening, textOf, until } from '@roster/testkit';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Answer } from '../outgoing.ts';
import { compose } from './compose.ts';
import type { Letter } from './letter.ts';
import { type EmailOptions, sendEmail } from './send-email.ts';
import { aLetter } from './testbed.ts';

const lookup = openNames().lookupFor('');

const servers: SMTPServer[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
});

const opened = async (options: Partial<SMTPServerOptions> = {}) => {
  const received: { from: string; to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      password === 'p@ss'
        ? done(null, { user: username ?? '' })
        : done(new Error(`not ${username} ${password}`)),
    async onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const text = await textOf(stream);
      const from = mailFrom ? mailFrom.address : '';
      received.push({ from, to: rcptTo.map(({ address }) => address), text });
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  servers.push(server);
  return { received, host: (await listening(server.server)).replace('http://', '') };
};

interface Timely extends Pick<EmailOptions, 'timeoutMs' | 'mostMs'> {
  user?: string;
}

const send = async (
  host: string,
  { user = '', timeoutMs = 1_000, mostMs = 60_000, ...more }: Partial<Letter> & Timely = {},
): Promise<Answer> => {
  const composed = await compose(aLetter({ subject: 'Hello, Ädä', ...more }));
  if ('fault' in composed) throw new Error(composed.fault);
  return sendEmail(composed, { url: `smtp://${user}${host}`, lookup, timeoutMs, mostMs });
};

type Asked = [address: unknown, session: unknown, done: (error: Error) => void];
const failing = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });

describe('a server elsewhere', () => {
  const elsewhere = { isHere: () => false };
  const sendTo = async (host: string, options: Partial<EmailOptions> = {}) => {
    const composed = await compose(aLetter());
    if ('fault' in composed) throw new Error(composed.fault);
    return sendEmail(composed, { url: `smtp://ada:p%40ss@${host}`, lookup, ...elsewhere, ...options });
  };

  it('that offers no TLS gets neither the password nor the email, unless the settings say so', async () => {
    const names: unknown[] = [];
    const { received, host } = await opened({
      onAuth: ({ username }, _, done) => {
        names.push(username);
        done(null, { user: 'ada' });
      },
    });
    expect(await sendTo(host)).toMatchObject({
      state: 'later',
      reason: expect.stringMatching(/^tls_failed/),
    });
    expect([received, names]).toEqual([[], []]);
    expect(await sendTo(host, { mayBeClear: true })).toMatchObject({ state: 'sent' });
    expect([received.length, names]).toEqual([1, ['ada']]);
  });
});

describe('an email', () => {
  it('arrives with its headers, once for each recipient', async () => {
    const { received, host } = await opened();
    const answer = await send(host, {
      bcc: 'archive@shop.example',
      replyTo: { name: 'Help', address: 'help@shop.example' },
      headers: { 'X-Own': 'yes' },
    });
    expect(answer).toEqual({ state: 'sent', id: '<d1-ada@shop.example>' });
    const [mail] = received;
    const to = ['ada@example.com', 'archive@shop.example'];
    expect(mail).toMatchObject({ from: 'news@shop.example', to });
    expect(mail?.text.split('\r\n')).toEqual(
      expect.arrayContaining([
        'From: Shop <news@shop.example>',
        'Reply-To: Help <help@shop.example>',
        'Message-ID: <d1-ada@shop.example>',
        'X-Own: yes',
      ]),
    );
    expect(mail?.text).toContain('multipart/alternative');
    expect(mail?.text).not.toMatch(/^Bcc:/m);
  });

  it('has one sender and its recipients, whatever their names say', async () => {
    const { received, host } = await opened();
    const name = 'eve@evil.example, z <x>';
    const mailbox = { name, address: 'news@shop.example' };
    await send(host, { from: mailbox, replyTo: mailbox });
    expect(received[0]).toMatchObject({ from: 'news@shop.example', to: ['ada@example.com'] });
    expect(received[0]?.text.split('\r\n')).toEqual(
      expect.arrayContaining([
        `From: "${name}" <news@shop.example>`,
        `Reply-To: "${name}" <news@shop.example>`,
        'Message-ID: <d1-ada@shop.example>',
      ]),
    );
  });

  it.each(['\r\n', '\n', '\r', '\r\n\r\n', '\n\t', '\v', '\u0085', '\u2028', '=?utf-8?Q?=0D=0A?='])(
    'adds no header by a line break: %j',
    async (line) => {
      const { received, host } = await opened();
      const from = { name: `Shop${line}Bcc: eve@example.com`, address: 'news@shop.example' };
      await send(host, {
        ...{ subject: `a${line}Bcc: eve@example.com`, from, replyTo: from },
        headers: { 'X-Own': `b${line}X-Evil: yes` },
      });
      const [{ to, text } = { to: [], text: '' }] = received;
      expect(to).toEqual(['ada@example.com']);
      const [head = ''] = text.split('\r\n\r\n');
      expect(head.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      const names = head.split('\r\n').flatMap((one) => /^[^\s:]+(?=:)/.exec(one) ?? []);
      expect(names.toSorted()).toEqual([
        ...[
          'Content-Type',
          'Date',
          'From',
          'MIME-Version',
          'Message-ID',
          'Reply-To',
          'Subject',
          'To',
          'X-Own',
        ],
      ]);
    },
  );

  it('may have no subject', async () => {
    const { received, host } = await opened();
    expect(await send(host, { subject: '' })).toMatchObject({ state: 'sent' });
    expect(received[0]?.text).not.toMatch(/undefined/);
  });

  it.each([
    ['the recipient', 550, 'refused', 'recipient_refused (550)', 'onRcptTo'],
    ['the recipient for now', 451, 'later', 'provider_unavailable (451)', 'onRcptTo'],
    ['the sender', 553, 'refused', 'sender_refused (553)', 'onMailFrom'],
  ] as const)('whose server does not take %s (%i) is %s', async (_, code, state, reason, asked) => {
    const refuse = (...[, , done]: Asked) => done(failing(code, 'no'));
    const { host } = await opened({ [asked]: refuse } as Partial<SMTPServerOptions>);
    const answer = await send(host);
    expect(answer).toMatchObject({ state, reason, words: expect.stringContaining(`${code} no`) });
  });

  it.each([
    ['archive', 'ada@example.com', { state: 'refused', reason: 'recipient_refused (550)' }],
    ['person', 'archive@shop.example', { state: 'sent' }],
  ])('that is taken for the %s alone is judged by the person', async (_, refused, expected) => {
    const onRcptTo = ({ address }: { address: string }, __: unknown, done: (error?: Error) => void) =>
      done(address === refused ? failing(550, 'no') : undefined);
    const { received, host } = await opened({ onRcptTo });
    expect(await send(host, { bcc: 'archive@shop.example' })).toMatchObject(expected);
    expect(received).toHaveLength(1);
  });

  it('that is not taken after all of it was read is refused', async () => {
    const { host } = await opened({
      onData(stream, _, done) {
        stream.resume().on('end', () => done(failing(554, 'spam')));
      },
    });
    const why = { reason: 'provider_refused (554)', words: expect.stringContaining('spam') };
    expect(await send(host)).toMatchObject({ state: 'refused', ...why });
  });

  it('whose server falls silent after all of it was sent may have been taken', async () => {
    const { host } = await opened({ onData: (stream) => void stream.resume() });
    expect(await send(host, { timeoutMs: 300 })).toMatchObject({ state: 'unknown', reason: 'no_answer' });
  });

  it('whose server is not there comes later', async () => {
    expect(await send('127.0.0.1:1')).toMatchObject({ state: 'later', reason: 'no_connection' });
  });

  it('is sent under a name and password, and waits for the right ones', async () => {
    const { received, host } = await opened({ authOptional: false, allowInsecureAuth: true });
    expect(await send(host, { user: 'shop:p%40ss@' })).toMatchObject({ state: 'sent' });
    expect(received).toHaveLength(1);
    const answer = await send(host, { user: 'shop:wrong-one@' });
    expect(answer).toMatchObject({ state: 'later', reason: 'credentials_refused (535)' });
  });
});

/** A server that is written line by line: to what begins with a word it answers so, to anything else "250 ok". */
const scripted = async (greeting: string, answers: Readonly<Record<string, string | undefined>> = {}) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const say = (text: string | undefined): unknown =>
      text === undefined ? socket.end() : socket.write(text.replaceAll('|', '\r\n'));
    say(greeting);
    socket.on('data', (said) => {
      const word = Object.keys(answers).find((one) => String(said).includes(one));
      say(word === undefined ? '250 ok|' : answers[word]);
    });
  });
  raw.push(server);
  return (await listening(server)).replace('http://', '');
};
const raw: Server[] = [];
afterEach(() => {
  for (const server of raw.splice(0)) server.close();
});
const data = { DATA: '354 go|' };
const auth = { EHLO: '250-x|250 AUTH PLAIN LOGIN|' };
const endless = `550-${'x'.repeat(1_000)}|`.repeat(1_200);

describe('a server that', () => {
  it.each<[string, string, Readonly<Record<string, string | undefined>>, string, string]>([
    ['draws its greeting out', '220-x|', {}, 'later', 'no_answer'],
    ['draws its answers out', '220 x|', { LO: '250-x|' }, 'later', 'no_answer'],
    ['draws the last one out', '220 x|', { ...data, '\r\n.\r\n': '250-x|' }, 'unknown', 'no_answer'],
    [
      'has no time for passwords',
      '220 x|',
      { ...auth, 'AUTH ': '454 busy|' },
      'later',
      'provider_unavailable (454)',
    ],
    ['refuses the password', '220 x|', { ...auth, 'AUTH ': '535 no|' }, 'later', 'credentials_refused (535)'],
    [
      'asks for more after the email',
      '220 x|',
      { ...data, '\r\n.\r\n': '354 go|' },
      'unknown',
      'answer_unreadable (354)',
    ],
    ['has no room now', '421 busy|', {}, 'later', 'provider_unavailable (421)'],
    ['takes nobody', '554 no|', {}, 'later', 'provider_refused (554)'],
    ['is another program', 'SSH-2.0-OpenSSH_9.2|', {}, 'later', 'answer_unreadable'],
    ['knows neither EHLO nor HELO', '220 x|', { LO: '500 what|' }, 'later', 'provider_refused (500)'],
    ['ends the connection at once', '220 x|', { LO: undefined }, 'later', 'connection_lost'],
    ['ends it at the recipient', '220 x|', { RCPT: undefined }, 'later', 'connection_lost'],
    ['answers the recipient with words', '220 x|', { RCPT: 'hello|' }, 'later', 'answer_unreadable'],
    ['refuses the recipient without end', '220 x|', { RCPT: endless }, 'later', 'answer_unreadable'],
    ['has no room for the email', '220 x|', { DATA: '452 full|' }, 'later', 'provider_unavailable (452)'],
    ['ends it after the email', '220 x|', { ...data, '\r\n.\r\n': undefined }, 'unknown', 'connection_lost'],
    ['answers it with words', '220 x|', { ...data, '\r\n.\r\n': 'wow|' }, 'unknown', 'answer_unreadable'],
  ])(
    '%s: the email was certainly not taken before all of it was sent',
    async (_, greeting, answers, state, reason) => {
      const host = await scripted(greeting, answers);
      const user = 'AUTH ' in answers ? 'ada:secret@' : '';
      expect(await send(host, { user })).toMatchObject({ state, reason });
    },
  );

  it('says a line now and then keeps neither its place nor its connection', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      const say = () => socket.write('220-x\r\n');
      say();
      const timer = setInterval(say, 20);
      socket.on('close', () => clearInterval(timer));
    });
    raw.push(server);
    const host = (await listening(server)).replace('http://', '');
    const answer = await send(host, { timeoutMs: 60_000, mostMs: 300 });
    expect(answer).toMatchObject({ state: 'later', reason: 'no_answer' });
    await until(() => sockets.every(({ destroyed }) => destroyed));
    expect(sockets).toHaveLength(1);
  });
});

it('an email that was taken keeps its place at the server until that has heard that the connection ends', async () => {
  let quitting: Socket | undefined;
  let isAnswered = false;
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 x\r\n');
    socket.on('data', (said) => {
      if (String(said).startsWith('QUIT')) quitting = socket;
      else socket.write(String(said).startsWith('DATA') ? '354 go\r\n' : '250 ok\r\n');
    });
  });
  raw.push(server);
  const host = (await listening(server)).replace('http://', '');
  const sending = send(host, { timeoutMs: 60_000 }).finally(() => {
    isAnswered = true;
  });
  await until(() => quitting !== undefined);
  expect(isAnswered).toBe(false);
  quitting?.write('221 bye\r\n');
  expect(await sending).toMatchObject({ state: 'sent' });
});

it.each([
  ['says nothing', '|'],
  ['ends the connection', undefined],
  ['knows no such word', '500 what|'],
])('an email that was taken is sent, also where the server, told that it ends, %s', async (_, said) => {
  const host = await scripted('220 x|', { ...data, QUIT: said?.replace(/^\|$/, '') });
  expect(await send(host, { timeoutMs: 300 })).toMatchObject({ state: 'sent' });
});

it('a URL says nothing that widens the limits', async () => {
  const host = await scripted('220-x|');
  const composed = await compose(aLetter());
  if ('fault' in composed) throw new Error(composed.fault);
  const url = `smtp://${host}?greetingTimeout=60000&socketTimeout=60000&secured=true&pool=true`;
  const answer = await sendEmail(composed, { url, lookup, timeoutMs: 300, mostMs: 60_000 });
  expect(answer).toMatchObject({ state: 'later', reason: 'no_answer' });
});

describe('a server that says more than one listens to', () => {
  const { key, certificate } = certificateFor('localhost');

  const flood = (socket: Socket, piece: string): void => {
    const some = piece.repeat(Math.ceil(4_096 / piece.length));
    const go = (): void => {
      if (!socket.destroyed) socket.write(some, () => setImmediate(go));
    };
    go();
  };
  const floodsAfter = (first: string, piece: string) => (socket: Socket) => {
    socket.write(first);
    flood(socket, piece);
  };
  const takesAndFloods = (socket: Socket): void => {
    socket.write('220 me\r\n');
    socket.on('data', (said) => {
      const line = String(said);
      if (line.startsWith('DATA')) socket.write('354 go\r\n');
      else if (!line.includes('\r\n.\r\n')) socket.write('250 ok\r\n');
      else floodsAfter('250 taken\r\n', '\r\n')(socket.removeAllListeners('data').resume());
    });
  };
  const inTls = (socket: Socket): TLSSocket =>
    new TLSSocket(socket, { isServer: true, key, cert: certificate }).on('error', () => {});
  const startsTls = (socket: Socket): void => {
    const onLine = (line: Buffer): void => {
      if (!line.toString().startsWith('STARTTLS')) return void socket.write('250-me\r\n250 STARTTLS\r\n');
      socket.off('data', onLine);
      socket.write('220 go\r\n');
      flood(inTls(socket), '\r\n');
    };
    socket.write('220 me\r\n');
    socket.on('data', onLine);
  };

  it.each<[string, string, (socket: Socket) => void]>([
    ['an answer that goes on', 'smtp', floodsAfter('', '220-more\r\n')],
    ['a line that goes on', 'smtp', floodsAfter('220 ', 'x')],
    ['empty lines', 'smtp', floodsAfter('', '\r\n')],
    ['empty lines after a greeting', 'smtp', floodsAfter('220 me\r\n', '\r\n')],
    ['empty lines in TLS', 'smtps', (socket) => flood(inTls(socket), '\r\n')],
    ['empty lines after STARTTLS', 'smtp', startsTls],
    ['empty lines after it took the email', 'smtp', takesAndFloods],
  ])('%s', async (_, scheme, behaves) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      behaves(socket);
    });
    raw.push(server);
    const host = (await listening(server)).replace('http://127.0.0.1', 'localhost');
    const composed = await compose(aLetter());
    if ('fault' in composed) throw new Error(composed.fault);
    const url = `${scheme}://${host}?tls.ca=${encodeURIComponent(certificate)}`;
    const answer = await sendEmail(composed, { url, lookup, timeoutMs: 600_000, mostMs: 600_000 });
    const isTaken = behaves === takesAndFloods;
    expect(answer).toMatchObject(
      isTaken ? { state: 'sent' } : { state: 'later', reason: 'answer_unreadable' },
    );
    await until(() => sockets.every(({ destroyed }) => destroyed));
  });
});

describe.each(['smtps', 'smtp'])('an email by %s with TLS', (scheme) => {
  const { key, certificate } = certificateFor('localhost');

  it.each([
    ['localhost', { state: 'sent' }],
    ['other.localhost', { state: 'later', reason: 'tls_failed', words: expect.stringMatching(/altnames/) }],
  ])('to a server that is called %s: its certificate is held to that name', async (name, expected) => {
    const secure = scheme === 'smtps';
    const { host } = await opened({ secure, key, cert: certificate, disabledCommands: [] });
    const server = host.replace('127.0.0.1', name);
    const url = `${scheme}://${server}?requireTLS=true&tls.ca=${encodeURIComponent(certificate)}`;
    const composed = await compose(aLetter());
    if ('fault' in composed) throw new Error(composed.fault);
    expect(await sendEmail(composed, { url, lookup, timeoutMs: 60_000 })).toMatchObject(expected);
  });
});
