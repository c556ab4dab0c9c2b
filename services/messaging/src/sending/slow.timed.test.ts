/** Work that takes its time, against leases of real seconds: judged in long runs. */
import { setTimeout as pause } from 'node:timers/promises';
import { always, crowd, schedule, toWebhook, useSending, writingAfter } from './testbed.ts';

const { store, start, ended, settled, claim, withSettings } = useSending();

test('a template that takes its time for each person is sent all the same, a few people at a time', async () => {
  await store.profiles.insertMany(crowd(150));
  const one = schedule(toWebhook('{{x}}'));
  await store.messages.schedules.insertOne(one);
  const sizes: number[] = [];
  const slow = writingAfter((texts) => {
    sizes.push(texts);
    return pause(texts * 20);
  });
  // A lease of 1.5 s: a page of 100 would take 2 s.
  start(always({ state: 'sent' }), { lostAfterMs: 3_000, liquidOf: () => slow });
  expect(await ended(one._id)).toMatchObject({ state: 'sent' });
  await settled();
  expect(await store.messages.sends.countDocuments({ state: 'sent' })).toBe(150);
  expect(Math.min(...sizes)).toBeLessThan(50);
});

test('a turn that takes too long leaves the rest to the next one, before anybody counts as lost', async () => {
  await withSettings({ messaging: { resend_unknown: true } });
  const people = crowd(150);
  await store.profiles.insertMany(people);
  const external_user_ids = people.map(({ external_id = '' }) => external_id);
  await Promise.all(people.map(({ _id, external_id = '' }) => claim(external_id, _id)));
  const asked: string[] = [];
  // The first 100 are asked at once. The others would be asked after 1.2 s, answer after 2.4 s, and count as lost after 2 s.
  start(
    async (_ws, _channel, _to, { person: id }) => {
      asked.push(id);
      await pause(1_200);
      return { state: 'sent' };
    },
    { lostAfterMs: 2_000 },
  );
  // Three of one lane, so that one turn has more than a hundred.
  const recipients = JSON.stringify({ external_user_ids });
  const all = [1, 2, 3].map(() => schedule(toWebhook('{{x}}'), { recipients }));
  await store.messages.schedules.insertMany(all);
  for (const { _id } of all) await ended(_id);
  await settled();
  expect(asked).toHaveLength(450);
  expect(await store.messages.sends.countDocuments({ state: 'sent', tries: 1 })).toBe(450);
});
