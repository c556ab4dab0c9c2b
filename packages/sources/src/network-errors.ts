/** What goes wrong before a server understands us, in words. Nothing of a URL is in them but host and port. */
import { member, textAt } from './members.ts';
import { inWords, SourceError, type Words } from './source-error.ts';

const lost: Words<string> = ['connection_lost', (at) => `the connection to ${at} was lost`];
const untrusted: Words<string> = [
  'tls',
  (at) => `the TLS certificate of ${at} is not signed by an authority that is trusted here`,
];
const noAnswer: Words<string> = ['no_answer', (at) => `${at} does not answer in time`];
const unreachable: Words<string> = ['connection_refused', (at) => `there is no way to ${at} in the network`];

const notFound: Words<string> = ['host_not_found', (at) => `the host of ${at} is not found`];
const notLookedUp: Words<string> = [
  'no_answer',
  (at) => `the host of ${at} can't be looked up now: the name server does not answer`,
];

const byCode: Readonly<Record<string, Words<string>>> = {
  name_not_found: notFound,
  name_timeout: notLookedUp,
  name_failed: notLookedUp,
  // Of the servers of a mongodb+srv:// URL, whose names the driver asks for.
  ENOTFOUND: notFound,
  ETIMEOUT: notLookedUp,
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

/** An error with several causes says the first, as does one that wraps another. */
const causes = (error: unknown): readonly unknown[] => {
  const several = member(error, 'errors');
  const cause = member(error, 'cause');
  return [error, ...(Array.isArray(several) ? several.slice(0, 4) : []), ...(cause ? [cause] : [])];
};

/** A database may send any text as its code. */
const isTls = (code: string): boolean =>
  /^(?:(?:ERR_SSL|ERR_TLS|CERT)(?:_[A-Z][A-Z0-9]*){1,12}|EPROTO|HOSTNAME_MISMATCH)$/.test(code) &&
  code.length <= 60;

export const networkError = (error: unknown, at: string): SourceError | undefined => {
  for (const one of causes(error)) {
    const code = textAt(one, 'code');
    const words = byCode[code];
    if (words) return inWords(words, at);
    if (isTls(code)) return new SourceError('tls', `there is no TLS connection to ${at} (${code})`);
  }
  return undefined;
};

export const timedOut = (at: string): SourceError => inWords(noAnswer, at);
export const wasLost = (at: string): SourceError => inWords(lost, at);
