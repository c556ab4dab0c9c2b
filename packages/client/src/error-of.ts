/** From an answer that is no success to its error. */
import {
  AccessError,
  ConflictError,
  type ErrorCode,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  type RefusedEntry,
  type RosterError,
  ServerError,
  UnavailableError,
} from './errors.ts';

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

const classOf = (status: number): ErrorClass => {
  if (status >= 400 && status < 500) return classes[status] ?? InvalidRequestError;
  // 520 to 530: a proxy has not reached the service.
  return classes[status] ?? (status >= 520 && status <= 530 ? UnavailableError : ServerError);
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

export const errorOf = (
  operation: string,
  { status, headers }: { status: number; headers: Headers },
  text: string,
): RosterError => {
  const body = parsed(text);
  const said: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const { code, message, detail, error, errors } = said;
  const sentence = String(message ?? detail ?? error ?? `${operation} was answered with ${status}`);
  return new (classOf(status))(sentence, {
    status,
    // A newer service may have a code that this version does not know.
    code: (headers.get('x-roster-error') ?? (isCode(code) ? code : undefined)) as ErrorCode | undefined,
    operation,
    requestId: headers.get('x-request-id') ?? undefined,
    field: fieldIn(sentence),
    remedy: headers.get('x-roster-remedy') ?? undefined,
    errors: Array.isArray(errors) ? (errors as RefusedEntry[]) : undefined,
    retry: truths[headers.get('x-roster-retry') ?? ''],
    retryAfter: retryAfterIn(status, headers, Date.now()),
    body,
  });
};
