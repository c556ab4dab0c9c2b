/** Audiences by which one workspace once held up all others: from their schedules to the end of their deliveries. */
import { pointsOfVisits } from '@roster/contract';
import type { AudienceLook } from '@roster/store';
import { until } from '@roster/testkit';
import type { ScanBudget } from './scans.ts';
import { always, crowd, person, schedule, toWebhook, useSending } from './testbed.ts';

const { store, start, add, ended, settled } = useSending();

const loud = 'loud';

const addPeople = (count: number, v: string) =>
  store.profiles.insertMany(crowd(count, loud, { custom: [{ k: 'x', v, at: 1 }] }));

const filters = (count: number, comparison: string, value: (n: number) => string) => ({
  OR: Array.from({ length: count }, (_, n) => ({
    custom_attribute: { custom_attribute_name: 'x', comparison, value: value(n) },
  })),
});

const theirs = (audience: object) =>
  schedule(toWebhook(), { ws: loud, recipients: JSON.stringify({ broadcast: true, audience }) });

/** A process that sends, and what is looked at there for the loud workspace. */
const watched = (scanBudget: ScanBudget) => {
  const seen = { looks: 0, atOnce: 0, visits: [] as number[] };
  let now = 0;
  const look = async (question: AudienceLook) => {
    if (question.ws !== loud) return store.audiences.look(question);
    seen.looks += 1;
    seen.atOnce = Math.max(seen.atOnce, ++now);
    const page = await store.audiences.look(question).finally(() => now--);
    seen.visits.push(page.visits);
    return page;
  };
  start(always({ state: 'sent' }), {
    store: { ...store, audiences: { ...store.audiences, look } },
    scanBudget,
  });
  return seen;
};

const isTaken = () => until(() => store.messages.deliveries.findOne({ ws: loud, taker: { $exists: true } }));

test('60 schedules with 99 filters each are looked through two at once, as far as their workspace can pay', async () => {
  await addPeople(300, 'gold');
  await store.profiles.insertOne(person(1));
  let points = 500;
  let paid = 0;
  let isRefused = false;
  const seen = watched({
    async pay(ws, asked) {
      if (ws !== loud) return true;
      const isPaid = asked <= points;
      if (isPaid) points -= asked;
      // One point is for a sample.
      if (isPaid && asked > 1) paid += 1;
      isRefused ||= !isPaid;
      return isPaid;
    },
    owe: async () => {},
  });
  const all = Array.from({ length: 60 }, () => theirs(filters(99, 'equals', (n) => `silver-${n}`)));
  await store.messages.schedules.insertMany(all);
  await until(() => isRefused);
  const ours = await add(toWebhook());
  expect(await ended(ours._id)).toMatchObject({ state: 'sent' });
  expect(seen.looks).toBeLessThanOrEqual(paid);
  expect(seen.looks).toBeLessThan(60);
  points = Number.POSITIVE_INFINITY;
  for (const { _id } of all) await ended(_id);
  await settled();
  expect(seen.looks).toBe(paid);
  expect(seen.atOnce).toBe(2);
});

test('patterns of 2,000 steps are tested for a few long texts at once, and paid', async () => {
  await addPeople(20, 'a'.repeat(255));
  await store.profiles.insertOne(person(1));
  const owed: number[] = [];
  const seen = watched({
    pay: async () => true,
    async owe(ws, points) {
      expect(ws).toBe(loud);
      owed.push(points);
    },
  });
  const one = theirs(filters(2, 'matches_regex', () => '(?:\\pL?){490}\\pZ'));
  await store.messages.schedules.insertOne(one);
  await isTaken();
  const ours = await add(toWebhook());
  expect(await ended(ours._id)).toMatchObject({ state: 'sent' });
  expect(await ended(one._id)).toMatchObject({ state: 'sent' });
  await settled();
  expect(seen.visits.length).toBeGreaterThan(1);
  // Half a second of CPU.
  expect(Math.max(...seen.visits)).toBeLessThanOrEqual(8_000_000);
  expect(owed).toEqual(seen.visits.map(pointsOfVisits));
});

test('an audience that the rules of today refuse fails its schedule, and holds up no other one of its lane', async () => {
  await addPeople(5, 'gold');
  const refused = theirs(filters(99, 'matches_regex', () => '(?:\\pL?){490}\\pZ'));
  const taken = theirs(filters(1, 'equals', () => 'gold'));
  await store.messages.schedules.insertMany([refused, taken]);
  const sending = start(always({ state: 'sent' }));
  const { deliveries, schedules } = store.messages;
  let told = 0;
  await until(async () => {
    // What could not go on would wait for half a minute.
    if (sending.errors.length > told)
      await deliveries.updateMany({ due: { $exists: true } }, { $set: { due: new Date() } });
    told = sending.errors.length;
    return (await schedules.countDocuments({ ended: { $exists: true } })) === 2;
  });
  expect(await ended(taken._id)).toMatchObject({ state: 'sent' });
  expect(await ended(refused._id)).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^webhook: its audience can't be read: .*steps/),
  });
  await sending.stop();
  // Those of the audience.
  sending.errors.length = 0;
});
