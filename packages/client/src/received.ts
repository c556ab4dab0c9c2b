/** What came over the wire, before it is believed to be from Roster. */
import { RosterError } from './errors.ts';

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

const joined = (pieces: readonly Uint8Array[], bytes: number): Uint8Array => {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
};

/** The text of an answer; nothing when it has more bytes. */
export const textWithin = async (response: Response, most: number): Promise<string | undefined> => {
  // Not every `fetch` has streams.
  if (!response.body?.getReader) return response.text();
  const reader = response.body.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(pieces.length === 1 ? pieces[0] : joined(pieces, bytes));
    bytes += value.length;
    if (bytes > most) return undefined;
    pieces.push(value);
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Roster gives each answer an id, and a proxy in between may take the headers away. */
export const isSigned = (headers: Headers, body: unknown): boolean =>
  headers.has('x-request-id') || (isObject(body) && typeof body.message === 'string');
