/** Sends an email by SMTP, and says what the server's answer means. */
import { connect, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type SendReasonCode, sendReason } from '@roster/contract';
import { isLoopback } from '@roster/names';
import { createTransport } from 'nodemailer';
import { failureCode } from '../http/failures.ts';
import type { Answer, Why } from '../outgoing.ts';
import type { Composed } from './compose.ts';
import { type GivenAccount, signInAs } from './sign-in.ts';

export interface EmailOptions {
  /** `smtp://` or `smtps://`, with the name and password in it. */
  url: string;
  lookup: LookupFunction;
  /** Without TLS, also to a server elsewhere. */
  mayBeClear?: boolean;
  /** Nobody listens between this process and the server. */
  isHere?(ip: string): boolean;
  /** Of each step. */
  timeoutMs?: number;
  /** Of all together: a line now and then keeps a connection open for ever. */
  mostMs?: number;
}

/** The members of an error of nodemailer that tell how far it came. */
interface SmtpError extends Error {
  command?: string;
  /** What the server said, also where it is no answer of SMTP. */
  response?: string;
  responseCode?: number;
  code?: string;
  /** That of Node. */
  originalCode?: string;
}

const usualTimeoutMs = 10_000;
const usualMostMs = 20_000;

const byCommand: Readonly<Record<string, SendReasonCode>> = {
  'MAIL FROM': 'sender_refused',
  'RCPT TO': 'recipient_refused',
};

const byCode: Readonly<Record<string, SendReasonCode>> = {
  EAUTH: 'credentials_refused',
  ETIMEDOUT: 'no_answer',
  EABORT: 'no_answer',
  EPROTOCOL: 'answer_unreadable',
};

const codeOf = (error: SmtpError, wasRead: boolean): SendReasonCode => {
  const { response, responseCode = 0, command = '', code = '', originalCode } = error;
  if (code === 'ETLS') return 'tls_failed';
  if (responseCode >= 500 && command.startsWith('AUTH')) return 'credentials_refused';
  if (responseCode >= 500) return byCommand[command] ?? 'provider_refused';
  if (responseCode >= 400) return 'provider_unavailable';
  if (response) return 'answer_unreadable';
  // A connection that ends without an error of Node was there.
  if (code === 'ECONNECTION' && originalCode === undefined) return 'connection_lost';
  return byCode[code] ?? failureCode(originalCode ?? code, wasRead);
};

/** What a server says to anything else, as to a greeting or a name and password, is no word about the email. */
const isOfEmail: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** Only the answer to the whole message says that it was taken over: before, it certainly was not. */
const failureOf = (error: SmtpError, wasRead: boolean): Answer => {
  const { responseCode = 0, command = '', message: words } = error;
  const why: Why = { reason: sendReason(codeOf(error, wasRead), responseCode), words };
  if (responseCode >= 500 && isOfEmail.has(command)) return { state: 'refused', ...why };
  return { state: wasRead && responseCode < 400 ? 'unknown' : 'later', ...why };
};

interface Server {
  host?: string | undefined;
  port?: number | string | undefined;
  secure?: boolean | undefined;
  auth?: GivenAccount | undefined;
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

const ownSignIn = 'OFFERED';

/** Also where the server offers nothing: then it says so. What is given with the socket goes before what the URL says. */
const signingIn = ({ auth }: Server) => ({ forceAuth: true, customAuth: { [ownSignIn]: signInAs(auth) } });

export const sendEmail = async (
  { id, envelope, bytes }: Composed,
  { url, lookup, timeoutMs = usualTimeoutMs, mostMs = usualMostMs, ...options }: EmailOptions,
): Promise<Answer> => {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let wasRead = false;
  const { mayBeClear = false, isHere = isLoopback } = options;
  const transport = createTransport({
    url,
    auth: { method: ownSignIn },
    getSocket: (server, done) =>
      void connected(server, lookup, timeoutMs).then(
        (connection) => {
          const isClear = mayBeClear || isHere(connection.remoteAddress ?? '');
          done(null, { connection, ...signingIn(server), ...(!isClear && { requireTLS: true }) });
        },
        (error: Error) => done(error),
      ),
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  // The stream that is sent, once the server has asked for it: those before it are read ahead.
  transport.use('stream', ({ message }, done) => {
    message.processFunc((input) =>
      Readable.from(input).on('end', () => {
        wasRead = true;
      }),
    );
    done();
  });
  try {
    await transport.sendMail({ envelope, raw, signal: AbortSignal.timeout(mostMs) });
    return { state: 'sent', id };
  } catch (error) {
    return failureOf(error as SmtpError, wasRead);
  } finally {
    transport.close();
  }
};
