import { createLines } from '@roster/batch';
import { aDelivery, aSend, createSignal, noCounts, until } from '@roster/testkit';
import { createRooms } from './rooms.ts';
import { createSendAll } from './send-all.ts';
import type { Hand, Outgoing } from './send-one.ts';
import { always, noting, useSending } from './testbed.ts';

const { store } = useSending();

/** A delivery that so many people are being sent to. */
const sendingTo = async (people: number) => {
  const of = aDelivery({ due: new Date(Date.now() + 1e9), counts: { ...noCounts, sending: people } });
  const leave = Array.from({ length: people }, (_, n): Outgoing => {
    const row = aSend(`p${n}`, of, { state: 'sending' });
    return { row, to: [{ to: '' }], content: {}, keepsText: false, mayRepeat: false };
  });
  await store.messages.deliveries.insertOne(of);
  await store.messages.sends.insertMany(leave.map(({ row }) => row));
  return { of, leave };
};

test('who finds no place in the turn before what was read of them is old is given back, and the next turn is smaller', async () => {
  const { of, leave } = await sendingTo(120);
  const go = createSignal();
  const { ids, hand } = noting(always({ state: 'sent' }, go.given));
  const rooms = createRooms();
  rooms.learn(of.lane, { writingMs: 1, preparedMs: 1 });
  let late = 0;
  const sendAll = createSendAll({ store, hand, onSent() {}, onLate: () => late++ }, createLines(), rooms);
  const ended = sendAll(of.lane, { leave, stay: [], until: performance.now() + 50 });
  const waiting = { state: 'waiting', tries: 0, reason: 'busy' } as const;
  await until(async () => (await store.messages.sends.countDocuments(waiting)) === 20);
  go.give();
  await ended;
  expect(ids).toHaveLength(100);
  expect(rooms.roomOf(of.lane)).toBe(100);
  expect(late).toBe(1);
  expect((await store.messages.deliveries.findOne({}))?.counts).toMatchObject({
    waiting: 20,
    sending: 0,
    sent: 100,
  });
});

test('a pause that the provider wants makes no turn smaller', async () => {
  const { of, leave } = await sendingTo(3);
  const rooms = createRooms();
  const before = rooms.roomOf(of.lane);
  let late = 0;
  const hand = always({ state: 'later', reason: 'rate_limited', afterMs: 60_000, unbegun: true });
  const sendAll = createSendAll({ store, hand, onSent() {}, onLate: () => late++ }, createLines(), rooms);
  await sendAll(of.lane, { leave, stay: [], until: performance.now() + 1e6 });
  expect([rooms.roomOf(of.lane), late]).toEqual([before, 0]);
});

test('what becomes of people while a transaction is written is one more transaction, of whichever turn they are', async () => {
  const { of, leave: all } = await sendingTo(40);
  const [first, others] = [createSignal(), createSignal()];
  const transactions: string[] = [];
  const held: typeof store = {
    ...store,
    async transact(work, limits) {
      transactions.push('begun');
      if (transactions.length === 1) await first.given;
      return store.transact(work, limits);
    },
  };
  const hand: Hand = async (_, __, ___, { person }) => {
    if (person !== 'p0') await others.given;
    return { state: 'sent' };
  };
  let sent = 0;
  const options = { store: held, hand, onSent: () => void sent++, onLate() {} };
  const sendAll = createSendAll(options, createLines(), createRooms());
  const ended = [all.slice(0, 20), all.slice(20)].map((leave) =>
    sendAll(of.lane, { leave, stay: [], until: performance.now() + 1e6 }),
  );
  await until(() => transactions.length === 1);
  others.give();
  await until(() => sent === 40);
  first.give();
  await Promise.all(ended);
  expect(transactions).toHaveLength(2);
  expect((await store.messages.deliveries.findOne({}))?.counts).toMatchObject({ sending: 0, sent: 40 });
});
