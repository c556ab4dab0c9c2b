/** From an answer that is no success to its error. */

import {
  AccessError,
  ConflictError,
  type ErrorCode,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  type RefusedEntry,
  RosterError,
  ServerError,
  UnavailableError,
} from './errors.ts';
import { isObject } from './is-object.ts';

type ErrorClass = typeof RosterError;

const classes: { readonly [status: number]: ErrorClass } = {
  401: AccessError,
  403: AccessError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  429: RateLimitError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

/** A proxy that refuses says nothing about the request, the key or what is stored. */
const classOfOthers = (status: number): ErrorClass => {
  if (status === 429) return RateLimitError;
  return status === 408 || status >= 500 ? UnavailableError : RosterError;
};

const classOf = (status: number, isOurs: boolean): ErrorClass => {
  if (!isOurs) return classOfOthers(status);
  const known = classes[status];
  if (known) return known;
  if (status < 500) return InvalidRequestError;
  // 520 to 530: a proxy has not reached the service.
  return status >= 520 && status <= 530 ? UnavailableError : ServerError;
};

/** `ACCESS_DENIED`; what others call a code is none of Roster. */
const isCode = (code: unknown): code is string => typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code);

const truths: { readonly [text: string]: boolean } = { true: true, false: false };

/** `'time' is required`, `events[3].name must not be empty`. */
const place = /^'([^']+)'|^((?:[\w$]+(?:\[\d+\])?\.)+[\w$]+|[\w$]+\[\d+\])(?= )/;

/** The member of the request that a sentence names at its beginning. */
export const fieldIn = (sentence: string): string | undefined => {
  const found = place.exec(sentence);
  return found?.[1] ?? found?.[2];
};

/** As JSON says it; the text where it is no JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const secondsIn = (headers: Headers, name: string): number | undefined => {
  const value = headers.get(name);
  const seconds = value === null ? Number.NaN : Number(value);
  return Number.isFinite(seconds) ? seconds : undefined;
};

/** `Retry-After`, in seconds or as a date; else, of a spent window, until it ends by the clock of the server. */
export const retryAfterIn = (status: number, headers: Headers, now: number): number | undefined => {
  const serverNow = Date.parse(headers.get('date') ?? '') || now;
  const told = secondsIn(headers, 'retry-after');
  if (told !== undefined) return Math.max(0, told);
  const until = Date.parse(headers.get('retry-after') ?? '') / 1000;
  if (until) return Math.max(0, until - serverNow / 1000);
  const reset = status === 429 ? secondsIn(headers, 'x-ratelimit-reset') : undefined;
  return reset === undefined ? undefined : Math.max(0, reset - serverNow / 1000);
};

/** Every refusal of Roster has a code, or is one of SCIM; a proxy in between may take the headers away. */
const isOurs = (headers: Headers, { code, schemas }: Record<string, unknown>): boolean =>
  headers.has('x-roster-error') || isCode(code) || Array.isArray(schemas);

const remedyOfOthers = 'See `body`: a proxy, a firewall?';

/** Where entries were refused, the first one says more than the sentence about all of them. */
const withFirst = (sentence: string, [first]: readonly RefusedEntry[]): string =>
  first?.type ? `${sentence} (${first.input_array}[${first.index}]: ${first.type})` : sentence;

export const errorOf = (
  operation: string,
  { status, headers }: { status: number; headers: Headers },
  text: string,
): RosterError => {
  const body = parsed(text);
  const said = isObject(body) ? body : {};
  const { code, message, detail, error } = said;
  const errors: RefusedEntry[] = Array.isArray(said.errors) ? said.errors : [];
  const ours = isOurs(headers, said);
  const plain = `${operation} was answered with ${status}`;
  const sentence = ours ? String(message ?? detail ?? error ?? plain) : `${plain}, but not by Roster`;
  return new (classOf(status, ours))(withFirst(sentence, errors), {
    status,
    // A newer service may have a code that this version does not know.
    code: (headers.get('x-roster-error') ?? (isCode(code) ? code : undefined)) as ErrorCode | undefined,
    operation,
    requestId: headers.get('x-request-id') ?? undefined,
    field: ours ? fieldIn(errors[0]?.type ?? sentence) : undefined,
    remedy: headers.get('x-roster-remedy') ?? (ours ? undefined : remedyOfOthers),
    errors,
    retry: truths[headers.get('x-roster-retry') ?? ''],
    retryAfter: retryAfterIn(status, headers, Date.now()),
    body,
  });
};
