import { type Consent, groupKey, identityKey, withSaid } from '@roster/profile';
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

type Step = ['subscribed' | 'unsubscribed' | null, op: string];

/** What was said of each group, one after the other. */
const history = (steps: Readonly<Record<string, readonly Step[]>>) =>
  store.transact((session) =>
    store.contactConsents.write(session, [
      {
        ws,
        key: identityKey(ws, { by: 'phone', phone }),
        consents: Object.entries(steps).flatMap(([id, all]) =>
          all
            .reduce<Consent[]>(
              (said, [v, op], place) => withSaid(said, groupKey(id, 'sms'), { v, at: place + 1, op }),
              [],
            )
            .slice(-1),
        ),
      },
    ]),
  );

const api = 'subscription.status.set.v2';
const page = 'preference_center.submit:default';
const stop = 'phone.stop';
const start = 'phone.start';

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
  const { say, said } = saying(() =>
    history({
      offers: [
        ['subscribed', api],
        ['unsubscribed', stop],
      ],
    }),
  );
  expect(await say({ ws, phone, meaning: 'start' })).toBe('applied');
  expect(said()).toEqual([
    [{ subscription_group_id: 'offers', subscription_state: 'subscribed', phones: [phone] }],
  ]);
});

it.each<[string, readonly Step[], 'subscribed' | null | undefined]>([
  [
    'a STOP took it',
    [
      ['subscribed', api],
      ['unsubscribed', stop],
    ],
    'subscribed',
  ],
  [
    'a STOP took it, and was said again',
    [
      ['subscribed', api],
      ['unsubscribed', stop],
      ['unsubscribed', stop],
    ],
    'subscribed',
  ],
  [
    'the page of a preference center took it',
    [
      ['subscribed', api],
      ['unsubscribed', page],
    ],
    undefined,
  ],
  [
    'the interface took it',
    [
      ['subscribed', api],
      ['unsubscribed', api],
    ],
    undefined,
  ],
  [
    'it was left before the STOP',
    [
      ['subscribed', api],
      ['unsubscribed', page],
      ['unsubscribed', stop],
    ],
    undefined,
  ],
  [
    'it was left after the STOP, too',
    [
      ['subscribed', api],
      ['unsubscribed', stop],
      ['unsubscribed', page],
    ],
    undefined,
  ],
  [
    'it came back since',
    [
      ['subscribed', api],
      ['unsubscribed', stop],
      ['subscribed', api],
    ],
    undefined,
  ],
  ['it had no state', [['unsubscribed', stop]], null],
  [
    'it had no state, and a STOP was said again',
    [
      ['unsubscribed', stop],
      ['unsubscribed', stop],
    ],
    null,
  ],
  [
    'it had no state, and was left after the STOP, too',
    [
      ['unsubscribed', stop],
      ['unsubscribed', page],
    ],
    undefined,
  ],
  [
    'an earlier START has given back that it had none',
    [
      ['unsubscribed', stop],
      [null, start],
    ],
    undefined,
  ],
  [
    'it had none again',
    [
      ['unsubscribed', stop],
      [null, start],
      ['unsubscribed', stop],
    ],
    null,
  ],
])('START gives back the state of a group where %s: %j is %p', async (_, steps, state) => {
  await history({ alerts: steps });
  const { say, said } = saying();
  expect(await say({ ws, phone, meaning: 'start' })).toBe('applied');
  const back = { subscription_group_id: 'alerts', subscription_state: state, phones: [phone] };
  expect(said()).toEqual(state === undefined ? [] : [[back]]);
  await history({ alerts: [] });
});
