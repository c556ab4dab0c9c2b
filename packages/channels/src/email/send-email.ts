/** Sends an email by SMTP, and says what the server's answer means. */
import { type SendReasonCode, sendReason } from '@roster/contract';
import { isLoopback } from '@roster/names';
import { failureCode } from '../http/failures.ts';
import type { Answer, Why } from '../outgoing.ts';
import type { Composed } from './compose.ts';
import { type ConversationOptions, converse } from './conversation.ts';

export interface EmailOptions
  extends Pick<ConversationOptions, 'url' | 'lookup'>,
    Partial<Pick<ConversationOptions, 'timeoutMs' | 'mostMs'>> {
  /** Without TLS, also to a server elsewhere. */
  mayBeClear?: boolean;
  /** Nobody listens between this process and the server. */
  isHere?(ip: string): boolean;
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

const usual = { timeoutMs: 10_000, mostMs: 20_000 };

const byCommand: Readonly<Record<string, SendReasonCode>> = {
  'MAIL FROM': 'sender_refused',
  'RCPT TO': 'recipient_refused',
};

const byCode: Readonly<Record<string, SendReasonCode>> = {
  EAUTH: 'credentials_refused',
  ETIMEDOUT: 'no_answer',
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

export const sendEmail = async (
  composed: Composed,
  { mayBeClear = false, isHere = isLoopback, ...options }: EmailOptions,
): Promise<Answer> => {
  const { wasRead, error } = await converse(composed, {
    ...usual,
    ...options,
    mustBeInTls: (ip) => !mayBeClear && !isHere(ip),
  });
  return error ? failureOf(error, wasRead) : { state: 'sent', id: composed.id };
};
