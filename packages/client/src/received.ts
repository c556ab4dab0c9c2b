/** What came over the wire, before it is believed to be from Roster. */

import { RosterError } from './errors.ts';
import { isObject } from './is-object.ts';

const isRedirect = ({ status, type, redirected }: Response): boolean =>
  // A browser hides the status; a `fetch` of the caller may have followed it.
  type === 'opaqueredirect' || redirected || (status >= 300 && status < 400 && status !== 304);

export const redirectOf = (response: Response, operation: string): RosterError | undefined => {
  if (!isRedirect(response)) return undefined;
  return new RosterError('the address redirects, and redirects are not followed', {
    status: response.status,
    operation,
    retry: false,
    remedy: "Give the service's own address as `url`.",
  });
};

export const tooLarge = (most: number, status: number, operation: string): RosterError =>
  new RosterError(`the answer has more than ${most} bytes`, {
    status,
    operation,
    retry: false,
    remedy: 'Ask for less, or give a larger `maxAnswerBytes`.',
  });

/** The text of an answer; nothing when it has more bytes. */
export const textWithin = async (response: Response, most: number): Promise<string | undefined> => {
  // Not every `fetch` has streams.
  if (!response.body?.getReader) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > most) return undefined;
    text += decoder.decode(value, { stream: true });
  }
};

/** Roster gives each answer an id, and a proxy in between may take the headers away. */
export const isSigned = (headers: Headers, body: unknown): boolean =>
  headers.has('x-request-id') || (isObject(body) && typeof body.message === 'string');
