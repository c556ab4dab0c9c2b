/** Quiet hours: from and to in local time, perhaps over midnight. */

export interface QuietHours {
  /** `22:00` */
  from: string;
  to: string;
}

const minutesIn = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

const dayMinutes = 24 * 60;
const minuteMs = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  const kept =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, kept);
  return kept;
};

/** Minutes of the day that a clock there shows, by the minute since 1970. */
const clockIn =
  (timeZone: string) =>
  (minute: number): number =>
    minutesIn(formatFor(timeZone).format(minute * minuteMs));

/** The first minute after this one at which the clock has been put forward or back, if it was between the two. */
const changeBetween = (clockAt: (minute: number) => number, first: number, last: number): number => {
  const isAsBefore = (minute: number): boolean =>
    (clockAt(first) + minute - first) % dayMinutes === clockAt(minute);
  let [before, after] = [first, last];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isAsBefore(middle)) before = middle;
    else after = middle;
  }
  return after;
};

/** When they are over, if the moment lies in them: the first minute that is not in them, also on a day with another number of hours. */
export const quietUntil = (at: Date, { from, to }: QuietHours, timeZone: string): Date | undefined => {
  const [begin, end] = [minutesIn(from), minutesIn(to)];
  const clockAt = clockIn(timeZone);
  const isQuiet = (clock: number): boolean =>
    begin <= end ? clock >= begin && clock < end : clock >= begin || clock < end;
  const start = Math.floor(at.getTime() / minuteMs);
  let minute = start;
  for (let clock = clockAt(minute); isQuiet(clock); clock = clockAt(minute)) {
    const over = minute + ((end - clock + dayMinutes) % dayMinutes);
    minute = clockAt(over) === end ? over : changeBetween(clockAt, minute, over);
  }
  return minute === start ? undefined : new Date(minute * minuteMs);
};
