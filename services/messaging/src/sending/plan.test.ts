import { completeSettings } from '@roster/access';
import { newProfile } from '@roster/profile';
import { aDelivery } from '@roster/testkit';
import type { Recipient } from './people.ts';
import { planOf } from './plan.ts';

const settings = completeSettings({ id: 'demo', messaging: { time_zone: 'Europe/Berlin' } });

const local = aDelivery({ channel: 'email', time: '2026-06-01T09:00:00', in_local_time: true });

const personIn = (zone?: string): Recipient => ({
  profile: { ...newProfile('p1', 'demo', 1), fields: zone ? { time_zone: { v: zone, at: 1 } } : {} },
  states: new Map(),
  bytes: 0,
});

it.each([
  ['Asia/Calcutta', '2026-06-01T03:30:00.000Z'],
  // Names that profiles keep, and that are not in the list of the runtime.
  ['Asia/Kolkata', '2026-06-01T03:30:00.000Z'],
  ['US/Pacific', '2026-06-01T16:00:00.000Z'],
  ['GMT', '2026-06-01T09:00:00.000Z'],
  ['nowhere', '2026-06-01T07:00:00.000Z'],
  [undefined, '2026-06-01T07:00:00.000Z'],
])('local time of a person in %s is %s', (zone, moment) => {
  const { dueOf } = planOf({ delivery: local, recipients: {}, content: {} }, settings, new Map());
  expect(dueOf?.(personIn(zone)).toISOString()).toBe(moment);
});
