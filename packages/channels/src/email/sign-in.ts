/**
 * Signs in at a mail server, by ways that it offers (RFC 4954, section 4). The library would send AUTH PLAIN where it knows none of the ways
 * that are offered, and would send the email without a sign-in where none is offered.
 */
import { createHmac } from 'node:crypto';

interface Account {
  user: string;
  pass: string;
}

/** As the URL of the server has it. */
export type GivenAccount = { [Part in keyof Account]?: Account[Part] | undefined };

/** A connection of the library. */
interface Connection {
  /** Those that the server offers, of those that the library knows. */
  authMethods: readonly string[];
  sendCommand(line: string): Promise<{ response: string }>;
}

type Line = (account: Account, challenge: string) => string;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const cramMd5: Line = ({ user, pass }, challenge) =>
  base64(`${user} ${createHmac('md5', pass).update(Buffer.from(challenge, 'base64')).digest('hex')}`);

/** What is said, line by line (RFC 4616, the expired draft of LOGIN, RFC 2195). The first one that is offered is taken. */
const ways: readonly (readonly [name: string, lines: readonly Line[]])[] = [
  ['PLAIN', [({ user, pass }) => `AUTH PLAIN ${base64(`\0${user}\0${pass}`)}`]],
  ['LOGIN', [() => 'AUTH LOGIN', ({ user }) => base64(user), ({ pass }) => base64(pass)]],
  ['CRAM-MD5', [() => 'AUTH CRAM-MD5', cramMd5]],
];

const notOffered = `the server offers no sign-in that Roster knows (${ways.map(([name]) => name).join(', ')}): neither the password nor the email was sent. Some servers offer it with TLS only; for one that asks for none, leave the name and password out of the URL`;

/** Without a name and password in the URL of the server there is nothing to do. */
export const signInAs =
  ({ user = '', pass = '' }: GivenAccount = {}) =>
  async ({ authMethods, sendCommand }: Connection): Promise<void> => {
    if (!user && !pass) return;
    if (!user || !pass) throw new Error('the URL of the server has only one of name and password');
    const [, lines] = ways.find(([name]) => authMethods.includes(name)) ?? [];
    if (!lines) throw new Error(notOffered);
    let challenge = '';
    for (const [n, line] of lines.entries()) {
      const { response } = await sendCommand(line({ user, pass }, challenge));
      if (!response.startsWith(n < lines.length - 1 ? '334' : '2')) throw new Error('the sign-in failed');
      challenge = response.slice('334 '.length);
    }
  };
