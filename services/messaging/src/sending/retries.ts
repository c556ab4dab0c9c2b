/** When a message that a provider takes later is tried again. */
import type { SendReason } from '@roster/contract';

export const mostTries = 6;
const longestPauseMs = 15 * 60_000;
const longestAskedMs = 24 * 60 * 60_000;

/** Pauses grow fourfold from the first one, up to a quarter of an hour; a provider may ask for longer ones, up to a day. */
export const pauseAfter = (tries: number, firstMs: number, askedMs = 0): number =>
  Math.max(Math.min(firstMs * 4 ** (tries - 1), longestPauseMs), Math.min(askedMs, longestAskedMs));

/** `publicReason` knows it. */
export const givenUp = (tries: number, reason: SendReason): string =>
  `given up after ${tries} tries: ${reason}`;

const longestReason = 300;

export const short = (reason: string): string => reason.slice(0, longestReason);
