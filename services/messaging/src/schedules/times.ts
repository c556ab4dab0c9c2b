/** Times without a zone, in the zone of each person. */
import { Temporal } from 'temporal-polyfill';

/** When it is so late there. A time that the day does not have counts an hour later; of one that it has twice it is the first. */
export const momentIn = (local: string, timeZone: string): Date => {
  const there = Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone, {
    disambiguation: 'compatible',
  });
  return new Date(there.epochMilliseconds);
};
