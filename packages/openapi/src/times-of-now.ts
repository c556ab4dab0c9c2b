/** The day of the examples stands still in the files of docs/; a running server shows them as of now. */

/** The first event of the examples. */
const exampleNow = Date.UTC(2026, 0, 31, 12, 1);
const minuteMs = 60_000;

/** Moments of that year, to the minute; those of other years, which are far ahead or past on purpose, stay. */
const moment = /\b2026-\d\d-\d\dT\d\d:\d\d/g;

/** Moves all moments by the same whole minutes, so that what was a minute before the last event stays so. */
export const timesOfNow = (text: string, now: Date): string => {
  const movedMs = Math.floor((now.getTime() - exampleNow) / minuteMs) * minuteMs;
  return text.replace(moment, (found) =>
    new Date(Date.parse(`${found}:00Z`) + movedMs).toISOString().slice(0, found.length),
  );
};
