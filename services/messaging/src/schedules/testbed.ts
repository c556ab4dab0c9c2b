/** For tests: schedules as callers create, change, delete and read them. */
import type { Query } from '@roster/contract';
import { toWebhook } from '../sending/testbed.ts';
import { useTestbed } from '../testbed.ts';

export const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** One for the tests of a file. */
export const useSchedules = () => {
  const { store, test } = useTestbed();
  let stamps = 0;
  /** Each request has one of its own. */
  const now = () => Date.now() * 1000 + (stamps++ % 1000);
  const usual = () => ({
    external_user_ids: ['ada'],
    schedule: { time: inAnHour() },
    messages: toWebhook(),
  });
  return {
    ...{ store, test, now },
    create: (more: object = {}) =>
      test.send('messages.schedule.create', { ...usual(), ...more }, { at: now() }),
    change: (schedule_id: unknown, more: object, at = now()) =>
      test.send('messages.schedule.update', { schedule_id, ...more }, { at }),
    remove: (schedule_id: unknown, ws = 'demo') =>
      test.send('messages.schedule.delete', { schedule_id }, { ws }),
    broadcasts: (query: Query) => test.send('messages.schedule_broadcasts', undefined, { query }),
    read: (id: unknown, ws = 'demo') =>
      test.send('messages.schedule.get', undefined, { params: { id: String(id) }, ws }),
  };
};
