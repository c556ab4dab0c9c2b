/** When an integration is synced by itself: patterns of cron, in UTC. */
import type { SyncSchedule } from '@roster/contract';
import { CronExpressionParser } from 'cron-parser';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const patterns: Record<
  Exclude<SyncSchedule['every'], 'never'>,
  (time: string, schedule: SyncSchedule) => string
> = {
  '15_minutes': () => '*/15 * * * *',
  '30_minutes': () => '*/30 * * * *',
  hour: () => '0 * * * *',
  day: (time) => `${time} * * *`,
  week: (time, { weekday = 'monday' }) => `${time} * * ${weekdays.indexOf(weekday)}`,
  month: (time, { day = 1 }) => `${time} ${day} * *`,
};

export const patternOf = (schedule: SyncSchedule): string | undefined => {
  if (schedule.every === 'never') return undefined;
  const [hour, minute] = (schedule.at ?? '00:00').split(':').map(Number);
  return patterns[schedule.every](`${minute} ${hour}`, schedule);
};

export const nextRun = (pattern: string, after: Date): Date =>
  CronExpressionParser.parse(pattern, { currentDate: after, tz: 'UTC' }).next().toDate();
