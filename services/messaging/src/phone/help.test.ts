import type { Answer } from '@roster/channels';
import { groupKey, identityKey } from '@roster/profile';
import { useStore } from '@roster/testkit';
import { createSenderSettings } from '../sending/settings.ts';
import { createHelp } from './help.ts';

const store = useStore();
const [ws, phone] = ['demo', '+15005550006'];

beforeEach(() => store.messages.sends.deleteMany({}));
beforeEach(() => store.workspaces.put({ id: ws, name: 'Demo' }));
beforeEach(() => store.workspaces.put({ id: 'other', name: 'Other' }));

/** All at one moment, unless a test moves it. */
const helping = (answer: Answer = { state: 'sent', id: 'SM1' }) => {
  const clock = { now: Date.UTC(2030, 0, 1) };
  const sent: string[] = [];
  const paid: [string, number][] = [];
  const help = createHelp({
    store,
    settingsOf: createSenderSettings(store),
    charge: async (...points) => paid.push(points),
    now: () => clock.now,
    channels: {
      async send(_channel, _credentials, { to }) {
        sent.push(to);
        return answer;
      },
    },
  });
  const ask = (id: string, from = phone, of = ws) =>
    help({ ws: of, phone: from, id, provider: '{}', text: 'Ask us.' });
  return { ask, sent, clock, paid };
};

const rows = () => store.messages.sends.find({}).toArray();

it('a message is answered once, also when it is told again later or to another process, and has a row', async () => {
  const { ask, sent, clock } = helping();
  await ask('A1');
  clock.now += 60_000;
  await ask('A1');
  const other = helping();
  await other.ask('A1');
  expect([sent, other.sent]).toEqual([[phone], []]);
  expect(await rows()).toMatchObject([{ ws, channel: 'sms', state: 'sent', provider: 'SM1', tries: 1 }]);
  expect(JSON.stringify(await rows())).not.toContain(phone);
});

it('a workspace pays 3 points for an answer, and nothing for one that is told again', async () => {
  const { ask, paid, clock } = helping();
  await ask('A1');
  clock.now += 60_000;
  await ask('A1');
  expect(paid).toEqual([[ws, 3]]);
});

it('nobody is answered in the quiet hours of the workspace', async () => {
  const quiet_hours = { from: '22:00', to: '08:00' };
  const messaging = { quiet_hours, time_zone: 'America/New_York' };
  await store.workspaces.put({ id: ws, name: 'Demo', messaging });
  const { ask, sent, clock } = helping();
  // 7 in the morning there, and then 8.
  clock.now = Date.UTC(2030, 0, 1, 12);
  await ask('A1');
  expect(sent).toEqual([]);
  clock.now = Date.UTC(2030, 0, 1, 13);
  await ask('A2');
  expect(sent).toEqual([phone]);
});

it('a phone is answered once a minute', async () => {
  const { ask, sent, clock } = helping();
  for (let n = 0; n < 5; n++) await ask(`A${n}`);
  expect(sent).toHaveLength(1);
  await ask('B1', '+15005550007');
  expect(sent).toHaveLength(2);
  clock.now += 60_000;
  await ask('A9');
  expect(sent).toHaveLength(3);
});

it('a workspace sends 60 answers a minute, and others are not affected', async () => {
  const { ask, sent } = helping();
  for (let n = 0; n < 70; n++) await ask(`A${n}`, `+1500555${1000 + n}`);
  expect(sent).toHaveLength(60);
  await ask('A1', phone, 'other');
  expect(sent).toHaveLength(61);
});

it.each([
  ['phone.stop', 0],
  ['preference_center.submit:default', 1],
])('a phone that has left by %s gets %i answers', async (op, count) => {
  const key = identityKey(ws, { by: 'phone', phone });
  const consents = [{ k: groupKey('alerts', 'sms'), v: 'unsubscribed' as const, at: 1, op }];
  await store.transact((session) => store.contactConsents.write(session, [{ ws, key, consents }]));
  const { ask, sent } = helping();
  await ask('A1');
  expect(sent).toHaveLength(count);
  await store.transact((session) => store.contactConsents.write(session, [{ ws, key, consents: [] }]));
});

it('what the provider does not take is not tried again, and says why', async () => {
  const { ask, sent } = helping({ state: 'later', reason: 'credentials_refused (401)', words: 'no' });
  await ask('A1');
  await ask('A1');
  expect(sent).toHaveLength(1);
  expect(await rows()).toMatchObject([
    { state: 'refused', reason: 'credentials_refused (401)', words: 'no' },
  ]);
});
