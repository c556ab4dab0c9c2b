/** When a message that a provider takes later is tried again. */
import { parseTime, type SendReason } from '@roster/contract';

export const mostTries = 6;
const longestPauseMs = 15 * 60_000;
const longestAskedMs = 24 * 60 * 60_000;

/** Pauses grow fourfold from the first one, up to a quarter of an hour; a provider may ask for longer ones, up to a day. */
export const pauseAfter = (tries: number, firstMs: number, askedMs = 0): number =>
  Math.max(Math.min(firstMs * 4 ** (tries - 1), longestPauseMs), Math.min(askedMs, longestAskedMs));

/** Who has waited for long asks more seldom: a provider may want pauses all day, and each costs writes. */
export const pauseFor = (waitedMs: number, askedMs: number): number =>
  Math.max(Math.min(askedMs, longestAskedMs), Math.min(waitedMs / 2, longestPauseMs));

/** Until when the pauses that a provider wants cost no tries: for a day, or as long as the message is of use. */
export const freeUntil = (
  since: number,
  { expiry, time_to_live }: { readonly expiry?: unknown; readonly time_to_live?: unknown },
): number => {
  const expires = typeof expiry === 'string' ? parseTime(expiry) : undefined;
  const lives = typeof time_to_live === 'number' ? since + time_to_live * 1000 : undefined;
  return Math.min(
    since + longestAskedMs,
    expires ?? Number.POSITIVE_INFINITY,
    lives ?? Number.POSITIVE_INFINITY,
  );
};

/** `publicReason` knows it. */
export const givenUp = (tries: number, reason: SendReason): string =>
  `given up after ${tries} tries: ${reason}`;

const longestReason = 300;

export const short = (reason: string): string => reason.slice(0, longestReason);
