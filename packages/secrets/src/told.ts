/** What the operator has to know of the other secrets: in the log of a start, and in `roster status`. */
import { otherSecrets, type Secrets } from './secrets.ts';

const dayMs = 24 * 3600 * 1000;
const soonMs = 7 * dayMs;

interface ToldSecret {
  says: string;
  /** Its date is near, or has passed a few days ago. Later that is its normal state: it may stay for look-ups. */
  isDue: boolean;
}

const dateOf = (until: Date): string => until.toISOString().slice(0, 10);

/** A sentence for each; the number tells them apart without telling them. */
export const toldDates = (dates: readonly Date[], now: number): readonly ToldSecret[] =>
  dates.map((until, place) => {
    const which = `secret ${place + 1} of ROSTER_SECRET_ALSO`;
    const left = until.getTime() - now;
    const isDue = Math.abs(left) <= soonMs;
    if (left <= 0)
      return { says: `${which} signs nothing since ${dateOf(until)}: it is for look-ups only`, isDue };
    const days = Math.ceil(left / dayMs);
    return {
      says: `signatures of ${which} are accepted until ${dateOf(until)}, for ${days} more ${days === 1 ? 'day' : 'days'}`,
      isDue,
    };
  });

export const toldSecrets = (secrets: Secrets, now: number): readonly ToldSecret[] =>
  toldDates(
    otherSecrets(secrets).map(({ until }) => until),
    now,
  );
