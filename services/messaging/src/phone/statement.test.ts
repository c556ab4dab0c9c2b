import { groupKey, identityKey } from '@roster/profile';
import type { Submission } from '@roster/queue';
import { useStore } from '@roster/testkit';
import { createSenderSettings } from '../sending/settings.ts';
import { createSay } from './statement.ts';

const store = useStore();
const [ws, phone] = ['demo', '+15005550006'];
const texts = ['alerts', 'offers'].map((id) => ({ id, name: id, channel: 'sms' }));
const groups = [...texts, { id: 'news', name: 'News', channel: 'email' }];

beforeEach(() => store.workspaces.put({ id: ws, name: 'Demo', subscription_groups: groups }));
afterEach(() => store.workspaces.put({ id: ws, name: 'Demo' }));

const leave = (...ids: string[]) =>
  store.transact((session) =>
    store.contactConsents.write(session, [
      {
        ws,
        key: identityKey(ws, { by: 'phone', phone }),
        consents: ids.map((id) => ({ k: groupKey(id, 'sms'), v: 'unsubscribed' as const, at: 1 })),
      },
    ]),
  );

/** What is kept instead of being queued. */
const saying = (fresh: () => Promise<unknown> = async () => {}) => {
  const kept: Submission[] = [];
  const say = createSay({
    store,
    settingsOf: createSenderSettings(store),
    fresh,
    producer: {
      async commit(submission) {
        kept.push(submission);
        const reply = Promise.resolve({ status: 201, body: '' });
        return { state: 'queued', id: 'r1', at: 1, reply, remember() {} };
      },
    },
  });
  return { say, said: () => kept.map(({ body }) => JSON.parse(body.toString()).subscription_groups) };
};

it('STOP leaves every group of text messages, and no group of emails', async () => {
  const { say, said } = saying();
  expect(await say({ ws, phone, meaning: 'stop' })).toBe('applied');
  const left = (id: string) => ({
    subscription_group_id: id,
    subscription_state: 'unsubscribed',
    phones: [phone],
  });
  expect(said()).toEqual([[left('alerts'), left('offers')]]);
});

it('START says nothing of a phone that has left no group', async () => {
  const { say, said } = saying();
  expect(await say({ ws, phone, meaning: 'start' })).toBe('applied');
  expect(said()).toEqual([]);
});

it('START goes back to the groups that a STOP just before it has left', async () => {
  // The STOP is applied while it is waited for.
  const { say, said } = saying(() => leave('offers'));
  expect(await say({ ws, phone, meaning: 'start' })).toBe('applied');
  expect(said()).toEqual([
    [{ subscription_group_id: 'offers', subscription_state: 'subscribed', phones: [phone] }],
  ]);
});
