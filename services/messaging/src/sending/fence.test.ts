import { until } from '@roster/testkit';
import type { Fence } from './fence.ts';
import { always, email, person, said, toEmail, useSending } from './testbed.ts';

const { store, start, ended, rows, add } = useSending();

/** A workspace that imports without a pause: at each moment something accepted before it is not applied yet. */
const importing = () => {
  let [now, applied] = [0, 0];
  const asked: number[] = [];
  const fence: Fence = {
    stamp: async () => ++now,
    async passed(stamp) {
      asked.push(stamp);
      return stamp <= applied;
    },
  };
  return { fence, asked, apply: (stamp: number) => (applied = stamp) };
};

test('nobody is sent anything before what was accepted earlier is applied, and a delivery waits for one moment only', async () => {
  await store.profiles.insertOne(person(1, email('one@example.com')));
  const { fence, asked, apply } = importing();
  const { givenBack } = start(always({ state: 'sent' }), { fence });
  const one = await add(toEmail);
  await until(() => asked.length >= 3);
  expect(new Set(givenBack)).toEqual(new Set(['fence']));
  expect(new Set(asked)).toEqual(new Set([1]));
  expect(await rows()).toEqual({});
  await store.profiles.updateOne({ _id: 'p1' }, { $set: said('email', 'unsubscribed') });
  apply(1);
  await ended(one._id);
  expect(await rows()).toEqual({ p1: 'skipped: unsubscribed' });
});

test('a later delivery that waits holds up no earlier one', async () => {
  await store.profiles.insertOne(person(1, email('one@example.com')));
  const { fence, asked, apply } = importing();
  start(always({ state: 'sent' }), { fence });
  const earlier = await add(toEmail);
  await until(() => asked.includes(1));
  const later = await add(toEmail);
  await until(() => asked.length > 3);
  apply(1);
  await ended(earlier._id);
  expect(await store.messages.schedules.findOne({ _id: later._id })).not.toHaveProperty('ended');
  apply(2);
  await ended(later._id);
});

test('a delivery that is given back because Redis can not be asked is counted', async () => {
  await store.profiles.insertOne(person(1, email('one@example.com')));
  const state = { isAway: true };
  const stamp = async (): Promise<number> => {
    if (state.isAway) throw new Error('away');
    return 1;
  };
  const { givenBack } = start(always({ state: 'sent' }), { fence: { stamp, passed: async () => true } });
  const one = await add(toEmail);
  await until(() => givenBack.length >= 2);
  expect(new Set(givenBack)).toEqual(new Set(['redis']));
  state.isAway = false;
  await ended(one._id);
});
