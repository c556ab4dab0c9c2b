import type { SendDocument, Session } from '@roster/store';
import { aSend, createSignal } from '@roster/testkit';
import { createClaims } from './caps.ts';
import { always, crowd, person, schedule, toWebhook, useSending, ws } from './testbed.ts';

const { store, start, addAll, rows, run, claim, withSettings } = useSending();

const capOf = (sends: number) =>
  withSettings({ messaging: { frequency_caps: [{ channel: 'webhook', sends, days: 1 }] } });

/** A minute ago. */
const got = (profile: string, state: SendDocument['state'], dispatch: string = state): SendDocument =>
  aSend(
    profile,
    { _id: `${dispatch}/webhook`, ws, channel: 'webhook' },
    { state, at: new Date(Date.now() - 60_000) },
  );

const sentTo = async (): Promise<number[]> => {
  const found = store.messages.sends.aggregate<{ n: number }>([
    { $match: { state: 'sent' } },
    { $group: { _id: '$profile', n: { $sum: 1 } } },
  ]);
  return (await found.toArray()).map(({ n }) => n);
};

test('of twenty schedules for one person in one second as many go out as the cap allows', async () => {
  await capOf(1);
  await store.profiles.insertOne(person(1));
  await claim('u1', 'p1');
  start(always({ state: 'sent' }));
  await addAll(20, toWebhook(), { recipients: JSON.stringify({ external_user_ids: ['u1'] }) });
  expect(await sentTo()).toEqual([1]);
  const capped = { state: 'skipped', reason: 'capped', tries: 0 } as const;
  expect(await store.messages.sends.countDocuments(capped)).toBe(19);
});

test('a cap is exact over processes that send at the same moment', async () => {
  await capOf(2);
  await store.profiles.insertMany(crowd(30));
  for (let n = 0; n < 2; n++) start(always({ state: 'sent' }));
  await addAll(5, toWebhook());
  expect(await sentTo()).toEqual(Array(30).fill(2));
});

test('what a person got counts for the one into whom they are merged; what was refused does not count', async () => {
  await capOf(2);
  await store.profiles.insertMany([person(1, { absorbed: ['away'] }), person(2)]);
  await store.messages.sends.insertMany([
    ...[got('away', 'sent'), got('p1', 'unknown')],
    ...[got('p2', 'refused'), got('p2', 'sent')],
  ]);
  const { dispatch } = await run(always({ state: 'sent' }), schedule(toWebhook()));
  const sends = store.messages.sends.find({ delivery: `${dispatch}/webhook` });
  const of = await sends.sort({ _id: 1 }).toArray();
  expect(of.map(({ state, reason }) => reason ?? state)).toEqual(['capped', 'sent']);
  expect(await rows()).toMatchObject({ p2: 'sent' });
});

test('a message that overrides the caps is free of them, and counts', async () => {
  await capOf(1);
  await store.profiles.insertOne(person(1));
  start(always({ state: 'sent' }));
  const recipients = JSON.stringify({ broadcast: true, override_messaging_limits: true });
  await addAll(3, toWebhook(), { recipients });
  expect(await sentTo()).toEqual([3]);
  await addAll(1, toWebhook());
  expect(await sentTo()).toEqual([3]);
});

test('of two transactions that claim for one person at the same moment the second sees what the first took', async () => {
  await store.profiles.insertOne(person(1));
  const claims = createClaims(store);
  const caps = [{ channel: 'webhook', sends: 1, days: 1 } as const];
  const [begun, go] = [createSignal(), createSignal()];
  let n = 0;
  const claimIn = async (session: Session): Promise<boolean> => {
    const counting = { channel: 'webhook', now: new Date() } as const;
    const mayHave = await claims(session, `${ws}/webhook`, caps, ['p1'], counting);
    const isMine = mayHave('p1', caps);
    if (isMine) await store.messages.sends.insertOne(got('p1', 'sending', `${n++}`), { session });
    return isMine;
  };
  const first = store.transact(async (session) => {
    const isMine = await claimIn(session);
    begun.give();
    await go.given;
    return isMine;
  });
  await begun.given;
  const second = store.transact((session, attempt) => {
    if (attempt > 0) go.give();
    return claimIn(session);
  });
  void second.then(go.give);
  expect(await Promise.all([first, second])).toEqual([true, false]);
});
