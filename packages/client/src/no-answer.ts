/** Why the platform got no answer: by its error, whether that can pass. */

import { ConnectionError, type RosterError } from './errors.ts';
import { isObject } from './is-object.ts';

/** Node puts its own error into another one, Bun and Deno don't. */
const causeOf = (error: unknown): Record<string, unknown> => {
  if (!isObject(error)) return { message: String(error) };
  return isObject(error.cause) ? error.cause : error;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A certificate that is refused, https at a port that speaks http, and a port that `fetch` never asks. */
const neverCodes = /(^|_)CERT(_|$)|LEAF_SIGNATURE|WRONG_VERSION_NUMBER/;
const neverMessages = /\bpeer certificate\b|^bad port$|^unknown scheme$/i;

/** The connection was never made, or nothing came in time: no socket of before. */
const fresh = /REFUSED|NOTFOUND|EAI_AGAIN|TIMEOUT|TIMEDOUT|UNREACH/;

const remedy = 'Correct the option `url`, or the certificate.';

export const noAnswer = (error: unknown, operation: string): ConnectionError => {
  const { code, message } = causeOf(error);
  const [name, sentence] = [textOf(code), textOf(message)];
  const isFinal = name === '' ? neverMessages.test(sentence) : neverCodes.test(name);
  const words = sentence || name || textOf((error as Error | null)?.message) || 'no connection';
  return new ConnectionError(`no answer: ${words.trim()}`, {
    operation,
    cause: error,
    ...(isFinal && { retry: false, remedy }),
  });
};

/** The socket of an earlier request may have been closed while the process was frozen: then another one may work. */
export const mayBeDeadSocket = ({ name, status, retry, cause }: RosterError): boolean =>
  name === 'ConnectionError' && status === 0 && retry !== false && !fresh.test(textOf(causeOf(cause).code));
