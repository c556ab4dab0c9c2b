/** Whether a request is sent again, and the pause before it. */

/** The signs in an answer; `undefined` without an answer. */
export interface Signs {
  status: number;
  retryAfter?: string | null;
  rateLimitReset?: string | null;
}

/** The server may succeed next time: too many requests, overload, a fault of its own, or no answer at all. */
export const isPassing = (signs: Signs | undefined): boolean =>
  !signs || signs.status === 408 || signs.status === 429 || signs.status >= 500;

const longestMs = 2 * 3600 * 1000;
const growingFromMs = 200;
const growingToMs = 15_000;

const numberIn = (text: string | null | undefined): number =>
  text == null || text.trim() === '' ? Number.NaN : Number(text);

/** The pause that the server asks for: `Retry-After` in seconds or as a date, else the end of the window. */
const askedMs = ({ status, retryAfter, rateLimitReset }: Signs, now: number): number | undefined => {
  const seconds = numberIn(retryAfter);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const date = Date.parse(retryAfter ?? '');
  if (Number.isFinite(date)) return date - now;
  const reset = numberIn(rateLimitReset);
  return status === 429 && Number.isFinite(reset) ? reset * 1000 - now : undefined;
};

/** `chance` is from 0 to 1, so that many waiting callers don't come back at once. */
export const pauseMs = (
  signs: Signs | undefined,
  attempt: number,
  { now, chance }: { now: number; chance: number },
): number => {
  const asked = signs && askedMs(signs, now);
  const grown = Math.min(growingFromMs * 2 ** Math.min(attempt, 20), growingToMs);
  const base = asked === undefined ? grown / 2 : Math.min(Math.max(asked, 0), longestMs);
  return Math.round(base + chance * (asked === undefined ? grown / 2 : 250));
};
