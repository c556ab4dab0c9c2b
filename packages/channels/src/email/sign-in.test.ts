import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { openNames } from '@roster/names';
import { listening } from '@roster/testkit';
import { compose } from './compose.ts';
import { sendEmail } from './send-email.ts';
import { aLetter } from './testbed.ts';

const names = openNames();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => names.close());

/** The account, the challenge and the answer to it are those of RFC 2195, section 2. */
const account = { user: 'tim', pass: 'tanstaaftanstaaf' };
const challenge = 'PDE4OTYuNjk3MTcwOTUyQHBvc3RvZmZpY2UucmVzdG9uLm1jaS5uZXQ+';
const response = 'dGltIGI5MTNhNjAyYzdlZGE3YTQ5NWI0ZTZlNzMzNGQzODkw';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** RFC 4954, section 4.1, with the account above. */
const plain = base64(`\0${account.user}\0${account.pass}`);
const [user64, pass64] = [base64(account.user), base64(account.pass)];

/** What a server of RFC 5321 and 4954 says to a line that begins so. */
const usual: readonly (readonly [begin: string, says: string])[] = [
  ['HELO ', '250 mail.test'],
  [`AUTH PLAIN ${plain}`, '235 2.7.0 ok'],
  ['AUTH LOGIN', '334 VXNlcm5hbWU6'],
  ['AUTH CRAM-MD5', `334 ${challenge}`],
  // It begins with the name, as the next one does.
  [response, '235 2.7.0 ok'],
  [user64, '334 UGFzc3dvcmQ6'],
  [pass64, '235 2.7.0 ok'],
  ['AUTH ', '504 5.5.4 not known'],
  ['MAIL ', '250 ok'],
  ['RCPT ', '250 ok'],
  ['DATA', '354 go'],
  ['.', '250 taken'],
  ['QUIT', '221 bye'],
];

/** It keeps what it was told beside the email itself. */
const serverThatSays = async (ehlo: string) => {
  const heard: string[] = [];
  const server = createServer((socket) => {
    let isInEmail = false;
    const say = (text: string): unknown => socket.write(`${text}\r\n`);
    socket.on('error', () => {});
    say('220 mail.test');
    createInterface({ input: socket }).on('line', (line) => {
      if (isInEmail && line !== '.') return;
      if (!isInEmail) heard.push(line.replace(/^(EHLO|HELO|MAIL|RCPT) .*/, '$1'));
      isInEmail = line === 'DATA';
      const answers = [['EHLO ', ehlo] as const, ...usual];
      say(answers.find(([begin]) => line.startsWith(begin))?.[1] ?? '500 what');
    });
  });
  servers.push(server);
  return { heard, host: (await listening(server)).replace('http://', '') };
};

const offering = (...lines: string[]) => {
  const all = ['mail.test', ...lines];
  return serverThatSays(all.map((line, n) => `250${n < all.length - 1 ? '-' : ' '}${line}`).join('\r\n'));
};

const named = `${account.user}:${account.pass}@`;

const sendTo = async (host: string, user = named, query = '') => {
  const composed = await compose(aLetter());
  if ('fault' in composed) throw new Error(composed.fault);
  const lookup = names.lookupFor('');
  return sendEmail(composed, {
    url: `smtp://${user}${host}${query}`,
    lookup,
    timeoutMs: 60_000,
    mostMs: 60_000,
  });
};

const emailed = ['MAIL', 'RCPT', 'DATA', 'QUIT'];

it.each([
  ['PLAIN LOGIN CRAM-MD5', [`AUTH PLAIN ${plain}`]],
  ['GSSAPI login', ['AUTH LOGIN', user64, pass64]],
  ['XOAUTH2 CRAM-MD5', ['AUTH CRAM-MD5', response]],
])('signs in at a server that offers %s', async (offered, said) => {
  const { heard, host } = await offering('SIZE 1000000', `AUTH ${offered}`);
  expect(await sendTo(host)).toMatchObject({ state: 'sent' });
  expect(heard).toEqual(['EHLO', ...said, ...emailed]);
});

it('takes a way that is offered, whatever way the URL names', async () => {
  const { heard, host } = await offering('AUTH PLAIN');
  expect(await sendTo(host, named, '?authMethod=LOGIN&forceAuth=false')).toMatchObject({ state: 'sent' });
  expect(heard).toEqual(['EHLO', `AUTH PLAIN ${plain}`, ...emailed]);
});

const refused = { state: 'later', reason: 'credentials_refused' };

it.each([
  ['only other ways', ['AUTH XOAUTH2 OAUTHBEARER'], ['EHLO']],
  ['ways whose names only begin alike', ['AUTH PLAIN-CLIENTTOKEN LOGIN2'], ['EHLO']],
  ['no way at all', ['AUTH'], ['EHLO']],
  ['no sign-in', ['SIZE 1000000'], ['EHLO']],
])('says neither the password nor the email to a server that offers %s', async (_, lines, said) => {
  const { heard, host } = await offering(...lines);
  const words = expect.stringContaining('offers no sign-in that Roster knows (PLAIN, LOGIN, CRAM-MD5)');
  expect(await sendTo(host)).toEqual({ ...refused, words });
  expect(heard).toEqual(said);
});

it('says neither to a server that has no extensions', async () => {
  const { heard, host } = await serverThatSays('502 no extensions');
  expect(await sendTo(host)).toMatchObject(refused);
  expect(heard).toEqual(['EHLO', 'HELO']);
});

it.each(['tim@', ':tanstaaf@'])('says nothing with half of an account: %s', async (half) => {
  const { heard, host } = await offering('AUTH PLAIN LOGIN');
  const words = expect.stringContaining('only one of name and password');
  expect(await sendTo(host, half)).toEqual({ ...refused, words });
  expect(heard).toEqual(['EHLO']);
});

it.each([['AUTH PLAIN'], ['SIZE 1000000']])(
  'sends without an account, also where a server offers %s',
  async (line) => {
    const { heard, host } = await offering(line);
    expect(await sendTo(host, '')).toMatchObject({ state: 'sent' });
    expect(heard).toEqual(['EHLO', ...emailed]);
  },
);

it('tells the answer to a wrong password', async () => {
  const { host } = await offering('AUTH PLAIN');
  const answer = await sendTo(host, 'tim:wrong@');
  expect(answer).toMatchObject({ state: 'later', reason: 'credentials_refused (504)' });
});

it.each([
  ['sends in clear to this machine', '', { state: 'sent' }, ['EHLO', ...emailed]],
  [
    'does not, where the URL asks for TLS',
    '?requireTLS=true',
    { state: 'later', reason: expect.stringMatching(/^tls_failed/) },
    ['EHLO', 'STARTTLS'],
  ],
])('%s', async (_, query, answer, said) => {
  const { heard, host } = await offering('SIZE 1000000');
  expect(await sendTo(host, '', query)).toMatchObject(answer);
  expect(heard).toEqual(said);
});
