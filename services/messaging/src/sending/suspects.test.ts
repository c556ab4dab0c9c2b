import type { DeliveryDocument } from '@roster/store';
import { createSignal, until } from '@roster/testkit';
import { createSuspects } from './suspects.ts';
import { createTaking } from './take.ts';
import { always, crowd, noting, openFence, person, schedule, toWebhook, useSending, ws } from './testbed.ts';

const { store, start, add, ended, rows, tryNow } = useSending();

const lane = `${ws}/webhook`;

/** Schedules that have fired. */
const fired = async (n: number): Promise<string[]> => {
  const sending = start(always({ state: 'sent' }), { fence: { ...openFence, passed: async () => false } });
  const all = Array.from({ length: n }, () => schedule(toWebhook()));
  await store.messages.schedules.insertMany(all);
  await until(async () => (await store.messages.deliveries.countDocuments({ taken: 0 })) === n);
  await sending.stop();
  return all.map(({ dispatch }) => `${dispatch}/webhook`);
};

const takenOf = async (_id: string): Promise<number | undefined> =>
  (await store.messages.deliveries.findOne({ _id }))?.taken;

/** The schedule of a delivery, at its end. */
const endedOf = async (_id: string) =>
  ended((await store.messages.deliveries.findOne({ _id }))?.schedule ?? '');

const namesOf = (all: readonly DeliveryDocument[]): string[] => all.map(({ _id }) => _id).toSorted();

/** A process that takes the deliveries of the lane and ends. */
const vanish = async (): Promise<string[]> => {
  await tryNow();
  return namesOf(await createTaking(store, 0).take(lane, new Date()));
};

/** A process that tries suspects, and ends when one of them is the culprit; says whom it tried, and who was convicted. */
const tryThem = async (culprit: string): Promise<{ tried: string[]; convicted: string[] }> => {
  await tryNow();
  const convicted: string[] = [];
  let tried: string[] = [];
  await new Promise<void>((hasEnded) => {
    const suspects = createSuspects({
      store,
      leaseMs: 0,
      async turn(taken) {
        tried = namesOf(taken);
        if (!tried.includes(culprit))
          return { isIdle: false, left: Promise.resolve(), ended: Promise.resolve() };
        hasEnded();
        return new Promise(() => {});
      },
      onConvicted: (id) => convicted.push(id),
    });
    void suspects.tryNext().then(({ ended }) => ended.then(hasEnded));
  });
  return { tried, convicted };
};

test('a delivery that ends its process each time is convicted, and its neighbours go out once', async () => {
  const ids = await fired(3);
  const [culprit = '', ...neighbours] = ids;
  await store.profiles.insertMany([person(1), person(2)]);
  expect(await vanish()).toEqual(ids.toSorted());
  // Nobody takes suspects with others.
  expect(await vanish()).toEqual([]);
  expect(await tryThem(culprit)).toEqual({ tried: ids.toSorted(), convicted: [] });
  const alone: string[][] = [];
  const convicted: string[] = [];
  while (convicted.length === 0) {
    const seen = await tryThem(culprit);
    alone.push(seen.tried);
    convicted.push(...seen.convicted);
  }
  expect(convicted).toEqual([culprit]);
  expect(alone.every((tried) => tried.length <= 1)).toBe(true);
  expect(alone.filter((tried) => tried.includes(culprit))).toHaveLength(3);
  const { ids: got, hand } = noting();
  const sending = start(hand);
  await tryNow();
  const states: unknown[] = [];
  for (const id of ids) {
    const { state, reason } = await endedOf(id);
    states.push([state, reason]);
  }
  await sending.stop();
  const reason = 'webhook: each time it was tried alone, the process that sent it ended';
  expect(states).toEqual([['failed', reason], ...neighbours.map(() => ['sent', undefined])]);
  expect(got.toSorted()).toEqual(neighbours.flatMap((id) => [`${id}/p1`, `${id}/p2`]).toSorted());
});

test('processes that are ended from outside convict nobody who is sent in the end', async () => {
  const [id = ''] = await fired(1);
  await store.profiles.insertOne(person(1));
  await vanish();
  for (let n = 0; n < 3; n++) await tryThem(id);
  expect(await takenOf(id)).toBe(4);
  const sending = start(always({ state: 'sent' }));
  await tryNow();
  expect(await endedOf(id)).toMatchObject({ state: 'sent' });
  await sending.stop();
  expect(sending.convicted).toEqual([]);
  expect(await rows()).toEqual({ p1: 'sent' });
});

/** A turn of it, usual or as a suspect, that ends its process or ends well. */
const turnOf = (id: string, isEnd: boolean) => tryThem(isEnd ? id : 'nobody');

test('a delivery that ends its process only while it is no suspect is one for twice as long each time', async () => {
  const [id = ''] = await fired(1);
  const goodTurns: number[] = [];
  for (let ends = 0; ends < 5; ends += 1) {
    expect(await vanish()).toEqual([id]);
    let good = 0;
    for (; (await takenOf(id)) !== 0; good += 1) await turnOf(id, false);
    goodTurns.push(good);
  }
  expect(goodTurns).toEqual([1, 2, 4, 8, 16]);
});

test('a delivery that ends its process in every second turn fails in the end', async () => {
  const [id = ''] = await fired(1);
  const convicted: string[] = [];
  let ends = 0;
  while (convicted.length === 0 && ends < 30) {
    ends += 1;
    if ((await takenOf(id)) === 0) await vanish();
    else await turnOf(id, true);
    convicted.push(...(await turnOf(id, false)).convicted);
  }
  expect([ends, convicted]).toEqual([12, [id]]);
  const sending = start(always({ state: 'sent' }));
  await tryNow();
  expect(await endedOf(id)).toMatchObject({
    state: 'failed',
    reason: 'webhook: 12 processes have ended that sent it',
  });
  await sending.stop();
});

test('nothing else begins beside a suspect, in any lane', async () => {
  const [suspect = ''] = await fired(1);
  await store.profiles.insertOne(person(1));
  await vanish();
  await tryNow();
  const under = new Set<string>();
  const beside: string[][] = [];
  const go = createSignal();
  const sending = start(async (_ws, _channel, _to, { id }) => {
    under.add(id);
    beside.push([...under]);
    if (id.startsWith(suspect)) await go.given;
    under.delete(id);
    return { state: 'sent' };
  });
  await until(() => under.size > 0);
  const other = await add({ content_card: { type: 'CLASSIC', title: 'x', description: 'y' } });
  // So long that it would have begun: no event tells of what does not happen.
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(beside).toEqual([[`${suspect}/p1`]]);
  go.give();
  await ended(other._id);
  await sending.stop();
  expect(beside).toEqual([[`${suspect}/p1`], [`${other.dispatch}/content_card/p1`]]);
});

test('what a process was sending when it ended makes its delivery a suspect', async () => {
  await store.profiles.insertMany(crowd(300));
  const go = createSignal();
  start(always({ state: 'sent' }, go.given));
  const id = `${(await add(toWebhook())).dispatch}/webhook`;
  await until(() => store.messages.sends.findOne({ state: 'sending' }));
  await until(async () => (await takenOf(id)) === 0);
  // A minute later.
  await store.messages.sends.updateMany({}, { $set: { at: new Date(Date.now() - 61_000) } });
  start(always({ state: 'sent' }));
  await tryNow();
  await until(() => takenOf(id));
  go.give();
});
