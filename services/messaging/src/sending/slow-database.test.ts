/** MongoDB, or this process, is so slow that limits of time are reached: everybody is sent to all the same, fewer at once. */
import { type Store, TransactionTooLong } from '@roster/store';
import { createLeaving } from './leaving.ts';
import type { Prepared } from './prepare.ts';
import { createRooms } from './rooms.ts';
import { always, crowd, noting, schedule, toWebhook, useSending } from './testbed.ts';

const { store, run } = useSending();

type Sends = Store['messages']['sends'];

const countIn = (operations: Parameters<Sends['bulkWrite']>[0]): number =>
  operations.flatMap((one) =>
    'updateMany' in one ? ((one.updateMany.filter._id as { $in: [] }).$in ?? []) : [one],
  ).length;

/** Its transactions take too long with more rows than these. */
const slowFrom = (most: { begin: number; results: number }): Store => {
  const { sends } = store.messages;
  const hold = (count: number, most: number): void => {
    if (count > most) throw new TransactionTooLong(7_000);
  };
  const slow = new Proxy(sends, {
    get(target, name) {
      if (name === 'insertMany')
        return (...given: Parameters<Sends['insertMany']>) => {
          hold(given[0].length, most.begin);
          return target.insertMany(...given);
        };
      if (name === 'bulkWrite')
        return (...given: Parameters<Sends['bulkWrite']>) => {
          hold(countIn(given[0]), most.results);
          return target.bulkWrite(...given);
        };
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return { ...store, messages: { ...store.messages, sends: slow } };
};

const sentOnce = (): Promise<number> => store.messages.sends.countDocuments({ state: 'sent', tries: 1 });

it.each([
  { begin: 7, results: 500 },
  { begin: 1, results: 500 },
  { begin: 500, results: 3 },
  { begin: 500, results: 1 },
])('rows that MongoDB can not write in time are divided: %j', async (most) => {
  await store.profiles.insertMany(crowd(20));
  const { ids, hand } = noting(always({ state: 'sent' }));
  const ended = await run(hand, schedule(toWebhook()), { store: slowFrom(most) });
  expect(ended).toMatchObject({ state: 'sent' });
  expect([await sentOnce(), new Set(ids).size, ids.length]).toEqual([20, 20, 20]);
});

describe('how many come in a turn', () => {
  const roomAfter = (...took: { writingMs: number; preparedMs: number }[]): number => {
    const rooms = createRooms();
    for (const one of took) rooms.learn('demo/email', one);
    return rooms.roomOf('demo/email');
  };

  it.each([
    ['of whom each takes long', { writingMs: 2_000, preparedMs: 2_000 }, 25],
    ['of whom each is quickly done', { writingMs: 10, preparedMs: 100 }, 200],
    [
      'whose texts are quickly written, with a MongoDB that is slow',
      { writingMs: 10, preparedMs: 6_000 },
      125,
    ],
  ])('%s', (_, took, room) => {
    expect(roomAfter(took)).toBe(room);
  });

  it('comes back from a bad moment, however slow MongoDB is', () => {
    const rooms = createRooms();
    for (let turns = 0; turns < 4; turns += 1) rooms.shrink('demo/email', 0, rooms.roomOf('demo/email'));
    expect(rooms.roomOf('demo/email')).toBe(1);
    for (let turns = 0; turns < 25; turns += 1)
      rooms.learn('demo/email', { writingMs: 10, preparedMs: 6_000 });
    expect(rooms.roomOf('demo/email')).toBe(500);
  });
});

it('a turn of whom a few could leave is not followed by turns of a few', () => {
  const rooms = createRooms();
  rooms.shrink('demo/email', 3, 100);
  expect(rooms.roomOf('demo/email')).toBe(25);
});

describe('what is read once more, for longer than it holds', () => {
  const holdsMs = 1_000;
  const leavingOf = async (count: number) => {
    const times: { asked: number; answered: number } = { asked: 0, answered: 0 };
    const leaving = createLeaving(async (ids) => {
      times.asked = performance.now();
      while (performance.now() < times.asked + holdsMs);
      times.answered = performance.now();
      return { people: new Map(ids.map((id) => [id, {} as never])), upTo: undefined };
    });
    const outgoing = crowd(count).map(({ _id }) => ({ row: { _id, profile: _id, channel: 'email' } }));
    const prepared = { outgoing, outgoingAgain: (one: object) => one } as unknown as Prepared;
    const sending = new Set(outgoing.map(({ row }) => row._id));
    const { until } = await leaving({ all: [prepared], readAt: performance.now() - holdsMs }, sending);
    return { until, ...times };
  };

  it('is too old for several', async () => {
    const { until, asked, answered } = await leavingOf(2);
    expect(until).toBeLessThanOrEqual(answered);
    expect(until).toBeGreaterThanOrEqual(asked + holdsMs - 1);
  });

  it('holds from the answer on for one alone', async () => {
    const { until, answered } = await leavingOf(1);
    expect(until).toBeGreaterThanOrEqual(answered + holdsMs);
  });
});
