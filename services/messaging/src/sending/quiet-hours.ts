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

const formats = new Map<string, Intl.DateTimeFormat>();

const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  const kept =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, kept);
  return kept;
};

const minuteOfDay = (at: Date, timeZone: string): number => minutesIn(formatFor(timeZone).format(at));

/** When they are over, if the moment lies in them. On a day with another number of hours it is up to an hour off. */
export const quietUntil = (at: Date, { from, to }: QuietHours, timeZone: string): Date | undefined => {
  const [begin, end] = [minutesIn(from), minutesIn(to)];
  const now = minuteOfDay(at, timeZone);
  const isQuiet = begin <= end ? now >= begin && now < end : now >= begin || now < end;
  if (!isQuiet) return undefined;
  const minutes = (end - now + dayMinutes) % dayMinutes;
  return new Date(Math.floor(at.getTime() / 60_000) * 60_000 + minutes * 60_000);
};
