/** What goes wrong before a server understands us, in words. Nothing of a URL is in them but host and port. */
import { SourceError, type SourceErrorCode } from './source-error.ts';

type Words = readonly [code: SourceErrorCode, says: (at: string) => string];

const lost: Words = ['connection_lost', (at) => `the connection to ${at} was lost`];
const untrusted: Words = [
  'tls',
  (at) => `the TLS certificate of ${at} is not signed by an authority that is trusted here`,
];
const noAnswer: Words = ['no_answer', (at) => `${at} does not answer in time`];
const unreachable: Words = ['connection_refused', (at) => `there is no way to ${at} in the network`];

const byCode: Readonly<Record<string, Words>> = {
  ENOTFOUND: ['host_not_found', (at) => `the host of ${at} is not found`],
  EAI_AGAIN: [
    'no_answer',
    (at) => `the host of ${at} can't be looked up now: the name server does not answer`,
  ],
  ECONNREFUSED: ['connection_refused', (at) => `${at} refuses the connection: no server listens there`],
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: noAnswer,
  ECONNRESET: lost,
  EPIPE: lost,
  PROTOCOL_CONNECTION_LOST: lost,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: ['tls', (at) => `the TLS certificate of ${at} has expired`],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls', (at) => `the TLS certificate of ${at} is for another host`],
};

const property = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined;

export const textOf = (error: unknown, name: 'code' | 'message'): string => {
  const value = property(error, name);
  return typeof value === 'string' ? value : '';
};

export const numberOf = (error: unknown, name: 'code' | 'errno'): number => {
  const value = property(error, name);
  return typeof value === 'number' ? value : 0;
};

/** An error with several causes says the first, as does one that wraps another. */
const causes = (error: unknown): readonly unknown[] => {
  const several = property(error, 'errors');
  const cause = property(error, 'cause');
  return [error, ...(Array.isArray(several) ? several.slice(0, 4) : []), ...(cause ? [cause] : [])];
};

const isTls = (code: string): boolean => /^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO$|HOSTNAME_MISMATCH)/.test(code);

export const networkError = (error: unknown, at: string): SourceError | undefined => {
  for (const one of causes(error)) {
    const code = textOf(one, 'code');
    const words = byCode[code];
    if (words) return new SourceError(words[0], words[1](at));
    if (isTls(code)) return new SourceError('tls', `there is no TLS connection to ${at} (${code})`);
  }
  return undefined;
};

export const timedOut = (at: string): SourceError => new SourceError(noAnswer[0], noAnswer[1](at));
export const wasLost = (at: string): SourceError => new SourceError(lost[0], lost[1](at));
