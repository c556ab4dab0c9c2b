/** Pushes from the caller to the providers, servers of our own, and back into the profile. */
import { until } from '@roster/testkit';
import { dead, useApns } from '../apns.ts';
import { useFcm } from '../fcm.ts';
import { usePushService } from '../push-service.ts';
import { useWhole, useWorkspace } from '../shared.ts';
import { mayAskHere, withChannels } from '../system.ts';

const whole = useWhole();
const apns = useApns();
const fcm = useFcm(whole, new Set(['dead']));
const browsers = usePushService(whole);
const system = useWorkspace('pushes', (usual) => ({
  ...mayAskHere(usual),
  apps: [
    ...withChannels(usual, apns.channels()).apps,
    { id: 'android', name: 'Android', channels: fcm.channels() },
    { id: 'web', name: 'Web', channels: browsers.channels() },
  ],
}));

const token = '00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0';
const pushToken = (of: string) => ({ app_id: 'demo-app', token: of });

/** Once no other is left. */
const oneTokenOf = (id: string) =>
  until(async () => {
    const user = await system.exported(id, ['push_tokens']);
    const [first, ...others] = (user?.push_tokens ?? []) as { app: string; token: string }[];
    return others.length === 0 && first;
  });

const sendNow = async (ids: string[], channel: 'ios_push' | 'droid_push' | 'web_push', message: object) => {
  const push = { external_user_ids: ids, messages: { [channel]: message } };
  const { body } = await system.insist((caller) => caller.post('/messages/send').send(push));
  return until(async () => {
    const sent = await system.caller.get(`/sends/${body.dispatch_id}`);
    const recipients = (sent.body.recipients ?? []) as {
      external_id: string;
      state: string;
      reason?: string;
      provider_id?: string;
    }[];
    const isOver = recipients.length === ids.length && recipients.every(({ state }) => state !== 'sending');
    return isOver && recipients;
  });
};

it('a push reaches the devices of a person, and a dead token leaves the profile', async () => {
  await system.track({
    attributes: [
      { external_id: 'ada', first_name: 'Ada', push_tokens: [pushToken(token), pushToken(dead)] },
      { external_id: 'bob' },
      { external_id: 'eve', push_subscribe: 'unsubscribed', push_tokens: [pushToken('e5e'.repeat(20))] },
    ],
  });
  const recipients = await sendNow(['ada', 'bob', 'eve'], 'ios_push', {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Liquid of the interface
    alert: { title: 'Sale', body: 'Hello {{${first_name}}}' },
    badge: 1,
    extra: { shop: 17 },
  });
  const [push, ...others] = apns.got();
  expect(others).toEqual([]);
  expect(push).toMatchObject({
    device: token,
    headers: { 'apns-topic': 'com.example.shop', 'apns-push-type': 'alert', 'apns-priority': '10' },
    payload: { shop: 17, aps: { alert: { title: 'Sale', body: 'Hello Ada' }, badge: 1 } },
  });
  expect(Object.fromEntries(recipients.map((one) => [one.external_id, one.reason ?? one.state]))).toEqual({
    ada: 'sent',
    bob: 'no_device',
    eve: 'unsubscribed',
  });
  expect(await oneTokenOf('ada')).toMatchObject({ app: 'demo-app', token });
});

it('a push reaches an Android device, and a token that FCM calls dead leaves the profile', async () => {
  const app_id = 'android';
  await system.track({
    attributes: [{ external_id: 'cid', push_tokens: ['live', 'dead'].map((token) => ({ app_id, token })) }],
  });
  const [cid] = await sendNow(['cid'], 'droid_push', {
    title: 'Sale',
    alert: 'Hello',
    extra: { shop: '17' },
  });
  expect(cid).toMatchObject({ state: 'sent', provider_id: 'projects/shop/messages/1' });
  expect(fcm.got()).toMatchObject([
    { token: 'live', data: { shop: '17' }, android: { notification: { title: 'Sale', body: 'Hello' } } },
  ]);
  expect(await oneTokenOf('cid')).toMatchObject({ app: 'android', token: 'live' });
});

it('a push reaches a browser, and a subscription that was given up leaves the profile', async () => {
  const tokens = ['/live', '/dead'].map(browsers.subscription);
  await system.track({
    attributes: [{ external_id: 'dan', push_tokens: tokens.map((one) => ({ app_id: 'web', token: one })) }],
  });
  const [dan] = await sendNow(['dan'], 'web_push', { title: 'Sale', alert: 'Hello', time_to_live: 60 });
  expect(dan).toMatchObject({ state: 'sent' });
  const sent = { 'content-encoding': 'aes128gcm', ttl: '60' };
  expect(browsers.got.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toMatchObject([
    { path: '/dead', headers: sent },
    { path: '/live', headers: sent },
  ]);
  expect(await oneTokenOf('dan')).toMatchObject({ app: 'web', token: tokens[0] });
});
