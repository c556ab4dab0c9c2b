/** Sends an email by SMTP, and says what the server's answer means. */
import { connect, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { Answer } from '../outgoing.ts';
import type { Composed } from './compose.ts';

export interface EmailOptions {
  /** `smtp://` or `smtps://`, with the name and password in it. */
  url: string;
  lookup: LookupFunction;
  timeoutMs?: number;
}

/** The members of an error of nodemailer that tell how far it came. */
interface SmtpError extends Error {
  command?: string;
  responseCode?: number;
}

/** Of each step. */
const usualTimeoutMs = 10_000;

/** Passwords stand in the URL, and servers repeat what they were told. */
const withoutSecrets = (text: string, { username, password }: URL): string =>
  [username, password]
    .filter((secret) => secret !== '')
    .flatMap((secret) => [decodeURIComponent(secret), secret])
    .reduce((shown, secret) => shown.replaceAll(secret, '***'), text);

/** Only the answer to the whole message says that it was taken over: before, it certainly was not. */
const failureOf = (
  { responseCode = 0, command = '', message }: SmtpError,
  wasRead: boolean,
  url: URL,
): Answer => {
  const reason = withoutSecrets(message.replace(/\s+/g, ' '), url).slice(0, 500);
  if (responseCode >= 500 && !command.startsWith('AUTH')) return { state: 'refused', reason };
  return { state: wasRead && responseCode === 0 ? 'unknown' : 'later', reason };
};

interface Server {
  host?: string | undefined;
  port?: number | string | undefined;
  secure?: boolean | undefined;
}

/** The library would look names up by `getaddrinfo`. */
const connected = (
  { host = 'localhost', secure = false, port = secure ? 465 : 587 }: Server,
  lookup: LookupFunction,
  timeoutMs: number,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), lookup });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no connection within ${timeoutMs} ms`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0).removeAllListeners('timeout');
      resolve(socket);
    });
  });

export const sendEmail = async (
  { id, envelope, bytes }: Composed,
  { url, lookup, timeoutMs = usualTimeoutMs }: EmailOptions,
): Promise<Answer> => {
  const raw = Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]);
  let wasRead = false;
  raw.on('end', () => {
    wasRead = true;
  });
  const transport = createTransport({
    url,
    getSocket: (server, done) =>
      void connected(server, lookup, timeoutMs).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error),
      ),
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.sendMail({ envelope, raw });
    return { state: 'sent', id };
  } catch (error) {
    return failureOf(error as SmtpError, wasRead, new URL(url));
  } finally {
    transport.close();
  }
};
