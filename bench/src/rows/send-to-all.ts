// Messages to everybody in an audience, and a server that takes webhooks.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Body } from '@roster/client';
import type { Store } from '@roster/store';
import { openServer } from '@roster/testkit';
import type { Setting } from '../bench.ts';
import type { People } from '../load/bodies.ts';
import { changeSettings } from '../store.ts';

export const openReceiver = () => openServer((request, response) => request.resume() && response.end());

export const peopleOf = ({ quick }: Setting): People => ({
  prefix: 'crowd-',
  count: quick ? 10_000 : 50_000,
});

/** All of them, and the bench's own ten thousand. */
const audienceOf = (value: string) => ({
  custom_attribute: { custom_attribute_name: 'plan', comparison: 'equals', value },
});

/** Of the person. */
export const firstName = `{{\${first_name}}}`;

/** More settings, and webhooks that stay on this machine. */
export const allowSending = (setting: Setting, store: Store, more: object = {}): Promise<void> =>
  changeSettings(setting, store, { ...more, messaging: { webhook_private_hosts: true } });

/** A message of one channel. The schedule is sent when everybody's row is written. */
export const sendToAll = async (
  { system: { roster } }: Setting,
  store: Store,
  messages: Body<'messages.schedule.create'>['messages'],
): Promise<number> => {
  const made = await roster.messages.schedule.create({
    broadcast: true,
    audience: audienceOf('free'),
    schedule: { time: new Date().toISOString() },
    messages,
  });
  if (!('schedule_id' in made)) throw new Error('the schedule is not made yet');
  const { schedule_id: _id } = made;
  for (;;) {
    const schedule = await store.messages.schedules.findOne({ _id });
    if (schedule?.state === 'sent') break;
    await sleep(20);
  }
  const delivery = await store.messages.deliveries.findOne({ schedule: _id });
  const sent = delivery?.counts.sent ?? 0;
  if (sent === 0 || sent !== Object.values(delivery?.counts ?? {}).reduce((sum, n) => sum + n, 0))
    throw new Error(`not everybody was sent to: ${JSON.stringify(delivery?.counts)}`);
  return sent;
};

/** With the name of the person. */
export const webhookTo = (url: string) => ({
  webhook: { url, request_method: 'POST' as const, body: `{"name":"${firstName}"}` },
});
