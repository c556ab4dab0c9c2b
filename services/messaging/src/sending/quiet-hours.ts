/** Quiet hours: from and to in local time, perhaps over midnight. */
import type { WorkspaceSettings } from '@roster/access';
import { Temporal } from 'temporal-polyfill';

export type QuietHours = NonNullable<WorkspaceSettings['messaging']['quiet_hours']>;

/** Of `22:00`. */
const minutesIn = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

const dayMinutes = 24 * 60;
const minuteMs = 60_000;

/** Minutes of the day that a clock there shows. */
const clockAt = ({ hour, minute }: Temporal.ZonedDateTime): number => hour * 60 + minute;

/** When they are over, if the moment lies in them: the first minute that is not in them, also on a day with another number of hours. */
export const quietUntil = (at: Date, { from, to }: QuietHours, timeZone: string): Date | undefined => {
  const [begin, end] = [minutesIn(from), minutesIn(to)];
  const isQuiet = (clock: number): boolean =>
    begin <= end ? clock >= begin && clock < end : clock >= begin || clock < end;
  const startMs = Math.floor(at.getTime() / minuteMs) * minuteMs;
  let there = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(timeZone);
  for (let clock = clockAt(there); isQuiet(clock); clock = clockAt(there)) {
    const over = there.add({ minutes: (end - clock + dayMinutes) % dayMinutes });
    // Where the clock is put forward or back before, it is looked at again then.
    const change = over.offset === there.offset ? null : there.getTimeZoneTransition('next');
    there = change ?? over;
  }
  return there.epochMilliseconds === startMs ? undefined : new Date(there.epochMilliseconds);
};
