/** Sends an email by SMTP, and says what the server's answer means. */
import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { Answer } from '../outgoing.ts';
import type { Composed } from './compose.ts';

export interface EmailOptions {
  /** `smtp://` or `smtps://`, with the name and password in it. */
  url: string;
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

export const sendEmail = async (
  { id, envelope, bytes }: Composed,
  { url, timeoutMs = usualTimeoutMs }: EmailOptions,
): Promise<Answer> => {
  const raw = Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]);
  let wasRead = false;
  raw.on('end', () => {
    wasRead = true;
  });
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
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
