import { completeSettings } from '@roster/access';
import { newProfile } from '@roster/profile';
import type { DeliveryDocument } from '@roster/store';
import type { Recipient } from './people.ts';
import { planOf } from './plan.ts';

const settings = completeSettings({ id: 'demo', messaging: { time_zone: 'Europe/Berlin' } });

const delivery: DeliveryDocument = {
  _id: 'd/email',
  ws: 'demo',
  lane: 'demo/email',
  dispatch: 'd',
  schedule: 's',
  channel: 'email',
  recipients: '{}',
  message: '{}',
  time: '2026-06-01T09:00:00',
  created: 1,
  in_local_time: true,
  read: false,
  counts: { waiting: 0, sending: 0, sent: 0, refused: 0, skipped: 0, unknown: 0 },
  began: new Date(0),
  planned: new Date(0),
};

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
  const { dueOf } = planOf({ delivery, recipients: {}, content: {} }, settings, new Map());
  expect(dueOf?.(personIn(zone)).toISOString()).toBe(moment);
});
