import { createLines } from '@roster/batch';
import { until } from '@roster/testkit';
import type { Leaves } from './leaving.ts';
import { createRooms } from './rooms.ts';
import { createSendAll } from './send-all.ts';
import type { Hand } from './send-one.ts';
import { delivery, useSending } from './testbed.ts';

const { store } = useSending();

test('who finds no place in the turn before what was read of them is old is given back, and the next turn is smaller', async () => {
  const of = delivery({
    due: new Date(Date.now() + 1e9),
    counts: { waiting: 0, sending: 120, sent: 0, refused: 0, skipped: 0, unknown: 0 },
  });
  const leave = Array.from({ length: 120 }, (_, n): Leaves => {
    const [profile, at] = [`p${n}`, new Date()];
    const { _id, ws, channel } = of;
    return {
      delivery: of,
      outgoing: {
        row: {
          _id: `${_id}/${profile}`,
          ws,
          delivery: _id,
          profile,
          channel,
          state: 'sending',
          at,
          tries: 1,
          expires: at,
        },
        to: [{ to: '' }],
        content: {},
        keepsText: false,
        mayRepeat: false,
      },
    };
  });
  await store.messages.deliveries.insertOne(of);
  await store.messages.sends.insertMany(leave.map(({ outgoing }) => outgoing.row));
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let asked = 0;
  const hand: Hand = async () => {
    asked += 1;
    await opened;
    return { state: 'sent' };
  };
  const rooms = createRooms();
  rooms.learn(of.lane, 1);
  const sendAll = createSendAll({ store, hand, onSent() {} }, createLines(), rooms);
  const ended = sendAll(of.lane, { leave, stay: [], until: performance.now() + 50 });
  const waiting = { state: 'waiting', tries: 0 } as const;
  await until(async () => (await store.messages.sends.countDocuments(waiting)) === 20 || undefined);
  open();
  await ended;
  expect(asked).toBe(100);
  expect(rooms.roomOf(of.lane)).toBe(100);
  expect((await store.messages.deliveries.findOne({}))?.counts).toMatchObject({
    waiting: 20,
    sending: 0,
    sent: 100,
  });
});
