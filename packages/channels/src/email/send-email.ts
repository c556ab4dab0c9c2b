/** Sends an email by SMTP, and says what the server's answer means. */
import { Readable } from 'node:stream';
import type { Mailbox } from '@roster/contract';
import { createTransport } from 'nodemailer';
import type { Answer } from '../answer.ts';

export interface Email {
  /** The same for each try: it becomes the `Message-ID`, by which servers and people know a repetition. */
  id: string;
  from: Mailbox;
  to: string;
  subject: string;
  html?: string;
  text?: string;
  replyTo?: Mailbox;
  bcc?: string;
  headers?: Readonly<Record<string, string>>;
}

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

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** In parts: what is a text would be read again, and could be several addresses. */
const alone = (address: string): Mailbox => ({ name: '', address });

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

/** The bytes that will be sent. A message may not name files or pages that this process would read. */
const composed = ({ id, from, to, subject, html, text, replyTo, bcc, headers = {} }: Email) =>
  createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).sendMail({
    messageId: `<${id}@${domainOf(from.address)}>`,
    from,
    to: alone(to),
    subject,
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    ...(replyTo !== undefined && { replyTo }),
    // Not among the headers, which everybody reads.
    envelope: { from: alone(from.address), to: [to, ...(bcc === undefined ? [] : [bcc])].map(alone) },
    headers,
  });

export const sendEmail = async (
  email: Email,
  { url, timeoutMs = usualTimeoutMs }: EmailOptions,
): Promise<Answer> => {
  const made = await composed(email).catch((error: Error) => error);
  if (made instanceof Error) return { state: 'refused', reason: made.message };
  const raw = Readable.from([made.message]);
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
    await transport.sendMail({ envelope: made.envelope, raw });
    return { state: 'sent', id: made.messageId };
  } catch (error) {
    return failureOf(error as SmtpError, wasRead, new URL(url));
  } finally {
    transport.close();
  }
};
