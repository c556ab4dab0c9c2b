import { newProfile } from '@roster/profile';
import { judge, type Plan } from './judge.ts';
import type { Recipient } from './people.ts';

const person: Recipient = {
  profile: { ...newProfile('p1', 'demo', 1), fields: { email: { v: 'a@example.com', at: 1 } } },
  states: new Map(),
  bytes: 0,
};

/** An email at this time in Berlin, where it is quiet from 22:00 to 08:00. */
const planAt = (due: string): Plan => ({
  channel: 'email',
  wantedState: 'subscribed',
  devices: { apps: new Set(), recentOnly: false, isShown: true },
  dueOf: () => new Date(due),
  zoneOf: () => 'Europe/Berlin',
  quietHours: { from: '22:00', to: '08:00' },
  mostLateMs: 60 * 60_000,
});

const at = (due: string, now: string, waited?: string) =>
  judge(planAt(due), person, {
    now: new Date(now),
    isCapped: false,
    isRetry: false,
    ...(waited !== undefined && { waited: new Date(waited) }),
  });

const until = (time: string, waits = 'quiet_hours') => ({ until: new Date(time), waits });
const toAda = { to: [{ to: 'a@example.com' }] };

describe('an email in local time whose moment lies in quiet hours', () => {
  const due = '2026-07-02T01:00:00Z';
  const end = '2026-07-02T06:00:00Z';

  it.each([
    ['waits until they are over, before its moment', '2026-07-01T12:00:00Z', undefined, until(end)],
    ['and after it', '2026-07-02T04:00:00Z', due, until(end)],
    ['is sent then', end, end, toAda],
    ['late is counted from their end', '2026-07-02T06:59:00Z', undefined, toAda],
    ['and missed after that', '2026-07-02T07:01:00Z', end, { skipped: 'missed' }],
  ])('%s', (_, now, waited, judged) => {
    expect(at(due, now, waited)).toEqual(judged);
  });
});

it('who came late into quiet hours waits for their end, too, and is not late because of them', () => {
  const due = '2026-07-01T19:30:00Z';
  expect(at(due, '2026-07-01T20:10:00Z')).toEqual(until('2026-07-02T06:00:00Z'));
  expect(at(due, '2026-07-02T06:00:00Z', '2026-07-02T06:00:00Z')).toEqual(toAda);
  expect(at(due, '2026-07-02T06:00:00Z')).toEqual({ skipped: 'missed' });
});

it('who has a moment of their own outside of quiet hours waits for that', () => {
  const due = '2026-07-02T12:00:00Z';
  expect(at(due, '2026-07-02T10:00:00Z')).toEqual(until(due, 'planned'));
});
