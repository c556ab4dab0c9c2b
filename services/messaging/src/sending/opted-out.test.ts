import type { Answer, Channels } from '@roster/channels';
import { groupKey } from '@roster/profile';
import { until } from '@roster/testkit';
import type { HandOptions } from './hand.ts';
import { handWith, person, said, schedule, useSending, ws } from './testbed.ts';

const { store, withSettings, run, rows, tryNow } = useSending();

const provider = JSON.stringify({ preset: 'twilio', account: 'AC1', token: 'x', from: '+15550100' });
const sms = { app_id: 'shop', subscription_group_id: 'alerts', body: 'x' };
const optedOut: Answer = { state: 'refused', reason: 'provider_refused (400)', isOptedOut: true };

const sendTo = async (answer: Answer, onOptedOut: HandOptions['onOptedOut']): Promise<void> => {
  await withSettings({
    apps: [{ id: 'shop', name: 'Shop', channels: { sms: { provider: { file: 'provider' } } } }],
  });
  const phone = { fields: { phone: { v: '+15550101', at: 1 } }, phone_key: '+15550101' };
  await store.profiles.insertOne(person(1, { ...phone, ...said(groupKey('alerts', 'sms'), 'subscribed') }));
  const channels = { send: async () => answer } as Pick<Channels, 'send'>;
  await run(
    handWith(store, channels, async () => provider, onOptedOut),
    schedule({ sms }),
  );
};

it('a person who opted out at the provider is unsubscribed, by the message that says so', async () => {
  const told: unknown[] = [];
  await sendTo(optedOut, async (message) => {
    told.push(message);
    return 'applied';
  });
  const [row] = await store.messages.sends.find({}).toArray();
  expect(told).toEqual([{ ws, phone: '+15550101', id: row?._id }]);
  expect(await rows()).toEqual({ p1: 'refused: provider_refused (400)' });
});

it('when it can not be said now, the message is tried again, and says so again', async () => {
  let said = 0;
  const sending = sendTo(optedOut, async () => (++said === 1 ? 'away' : 'applied'));
  await until(async () => (await store.messages.sends.countDocuments({ state: 'waiting', tries: 1 })) === 1);
  await tryNow();
  await sending;
  expect(said).toBe(2);
  expect(await rows()).toEqual({ p1: 'refused: provider_refused (400)' });
});

it('another refusal unsubscribes nobody', async () => {
  const { isOptedOut: _, ...refused } = optedOut as Extract<Answer, { state: 'refused' }>;
  await sendTo(refused, async () => {
    throw new Error('nobody opted out');
  });
  expect(await rows()).toEqual({ p1: 'refused: provider_refused (400)' });
});
