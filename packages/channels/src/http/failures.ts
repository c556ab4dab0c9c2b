/** What an error of the network means. */
import type { SendReasonCode } from '@roster/contract';
import { errors } from 'undici';
import type { Why } from '../outgoing.ts';

const byCode: readonly (readonly [RegExp, SendReasonCode])[] = [
  [/^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/, 'tls_failed'],
  [
    /^(ERR_HTTP2_ERROR|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_ANSWER_TOO_LARGE)$/,
    'answer_unreadable',
  ],
  // There was a connection, whatever was under way.
  [/^(ECONNRESET|EPIPE)$/, 'connection_lost'],
];

const textOf = (code: unknown): string => (typeof code === 'string' ? code : '');

/** Whether a request was under way already. */
export const failureCode = (code: unknown, wasWritten: boolean): SendReasonCode => {
  if (code === 'name_not_found' || code === 'name_timeout' || code === 'name_failed') return code;
  const [, known] = byCode.find(([pattern]) => pattern.test(textOf(code))) ?? [];
  return known ?? (wasWritten ? 'connection_lost' : 'no_connection');
};

/** No answer in time. */
export class Late extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** A status that HTTP does not have, or an answer that changes the protocol: undici has no code of its own for them. */
const isNoHttp = ({ code, message }: Error & { code?: unknown }): boolean =>
  code === 'ERR_ASSERTION' || message === 'bad upgrade';

const reasonOf = (error: Error & { code?: unknown }, wasWritten: boolean): SendReasonCode => {
  if (error instanceof Late) return 'no_answer';
  // Most of them have no code.
  if (error instanceof errors.HTTPParserError || isNoHttp(error)) return 'answer_unreadable';
  return failureCode(error.code, wasWritten);
};

export const whyOf = (error: Error & { code?: unknown }, wasWritten: boolean): Why => ({
  reason: reasonOf(error, wasWritten),
  words: isNoHttp(error) ? 'the answer has a status that no answer may have' : error.message,
});
