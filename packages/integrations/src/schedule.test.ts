import type { SyncSchedule } from '@roster/contract';
import { nextRun, patternOf } from './schedule.ts';

/** A Saturday. */
const noon = new Date('2026-01-31T12:00:00Z');

const cases: [SyncSchedule, string][] = [
  [{ every: '15_minutes' }, '2026-01-31T12:15:00.000Z'],
  [{ every: '30_minutes' }, '2026-01-31T12:30:00.000Z'],
  [{ every: 'hour' }, '2026-01-31T13:00:00.000Z'],
  [{ every: 'day' }, '2026-02-01T00:00:00.000Z'],
  [{ every: 'day', at: '12:01' }, '2026-01-31T12:01:00.000Z'],
  [{ every: 'week' }, '2026-02-02T00:00:00.000Z'],
  [{ every: 'week', weekday: 'sunday', at: '23:59' }, '2026-02-01T23:59:00.000Z'],
  [{ every: 'month' }, '2026-02-01T00:00:00.000Z'],
  [{ every: 'month', day: 28, at: '06:30' }, '2026-02-28T06:30:00.000Z'],
];

it('there is no time for never', () => {
  expect(patternOf({ every: 'never' })).toBeUndefined();
});

it.each(cases)('%j comes next at %s', (schedule, next) => {
  expect(nextRun(patternOf(schedule) ?? '', noon).toISOString()).toBe(next);
});
