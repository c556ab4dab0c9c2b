import { optimalDue } from '../sending/optimal.ts';
import { momentIn } from './times.ts';

it.each([
  ['2026-06-01T09:00:00', 'UTC', '2026-06-01T09:00:00.000Z'],
  ['2026-06-01T09:00:00', 'Pacific/Kiritimati', '2026-05-31T19:00:00.000Z'],
  ['2026-06-01T09:00:00', 'Pacific/Pago_Pago', '2026-06-01T20:00:00.000Z'],
  ['2026-06-01T09:00:00', 'Asia/Kathmandu', '2026-06-01T03:15:00.000Z'],
  // The day of 23 hours: 2:30 is not there.
  ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  // The day of 25 hours: 2:30 is there twice.
  ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:30:00', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
])('%s in %s is %s', (local, zone, moment) => {
  expect(momentIn(local, zone).toISOString()).toBe(moment);
});

const hoursWith = (counts: Record<number, number>): number[] =>
  Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0);

it.each([
  ['UTC', { 18: 3, 7: 1 }, '2026-06-01T18:00:00.000Z'],
  ['Europe/Berlin', { 18: 3 }, '2026-06-01T18:00:00.000Z'],
  // 23:00 UTC is 1:00 of that day in Berlin: it lies a day before in UTC.
  ['Europe/Berlin', { 23: 1 }, '2026-05-31T23:00:00.000Z'],
  ['Asia/Kathmandu', { 18: 1 }, '2026-06-01T18:00:00.000Z'],
])('the optimal time in %s of %j is %s', (zone, counts, moment) => {
  expect(optimalDue({ time: '2026-06-01T09:00:00' }, zone, hoursWith(counts)).toISOString()).toBe(moment);
});

it('without events it is the time of day that was named', () => {
  expect(optimalDue({ time: '2026-06-01T09:00:00' }, 'Europe/Berlin', undefined).toISOString()).toBe(
    '2026-06-01T07:00:00.000Z',
  );
});
