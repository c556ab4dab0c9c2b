/** Work that takes its time, against leases of real seconds: judged in long runs. */
import { setTimeout as pause } from 'node:timers/promises';
import { always, crowd, schedule, toWebhook, useSending, writingAfter } from './testbed.ts';

const { store, start, addAll, run, settled, claim, withSettings } = useSending();

test('a template that takes its time for each person is sent all the same, a few people at a time', async () => {
  await store.profiles.insertMany(crowd(150));
  const sizes: number[] = [];
  const slow = writingAfter((texts) => {
    sizes.push(texts);
    return pause(texts * 20);
  });
  // A lease of 1.5 s: a page of 100 would take 2 s.
  const options = { lostAfterMs: 3_000, liquidOf: () => slow };
  const one = schedule(toWebhook('{{x}}'));
  expect(await run(always({ state: 'sent' }), one, options)).toMatchObject({ state: 'sent' });
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
  await addAll(3, toWebhook('{{x}}'), { recipients });
  await settled();
  expect(asked).toHaveLength(450);
  expect(await store.messages.sends.countDocuments({ state: 'sent', tries: 1 })).toBe(450);
});
