import type { Answer } from './outgoing.ts';
import { anyTime, createPlaces } from './places.ts';

/** Messages that stay at the server until the test lets them go. */
const opened = (most: number) => {
  const inPlace = createPlaces(most);
  const at: { ws: string; end(): void }[] = [];
  const send = (ws: string, until = anyTime.until): Promise<Answer> =>
    inPlace(
      'server',
      { ws, until },
      () => new Promise<Answer>((resolve) => at.push({ ws, end: () => resolve({ state: 'sent' }) })),
    );
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    send,
    settled,
    names: () => at.map(({ ws }) => ws).join(''),
    async endOne(ws: string): Promise<void> {
      const place = at.findIndex((one) => one.ws === ws);
      at.splice(place, 1)[0]?.end();
      await settled();
    },
  };
};

const late: Answer = { state: 'later', reason: 'busy', unbegun: true };

it('a workspace alone gets three quarters of the places, and the next one finds a free one at once', async () => {
  const { send, settled, names } = opened(20);
  for (let n = 0; n < 40; n++) void send('a');
  await settled();
  expect(names()).toBe('a'.repeat(15));
  for (let n = 0; n < 40; n++) void send('b');
  await settled();
  expect(names()).toBe(`${'a'.repeat(15)}${'b'.repeat(4)}`);
  void send('c');
  await settled();
  expect(names().at(-1)).toBe('c');
});

it('places that become free go to the workspaces in turn', async () => {
  const { send, settled, names, endOne } = opened(4);
  for (const ws of ['a', 'a', 'a', 'b']) void send(ws);
  for (const ws of ['a', 'a', 'a', 'c', 'd']) void send(ws);
  await settled();
  expect(names()).toBe('aaab');
  for (let n = 0; n < 3; n++) await endOne('a');
  expect(names()).toBe('bacd');
});

it('who has no place in time is told that nothing was sent, and takes none later', async () => {
  const { send, names, endOne, settled } = opened(1);
  void send('a');
  await settled();
  expect(await send('b', performance.now() + 1)).toEqual(late);
  await endOne('a');
  expect(names()).toBe('');
  expect(await send('b', performance.now() - 1)).toEqual(late);
  void send('b');
  await settled();
  expect(names()).toBe('b');
});

it('a failed message makes room', async () => {
  const inPlace = createPlaces(1);
  const fail = async (): Promise<Answer> => {
    throw new Error('x');
  };
  const all = Array.from({ length: 5 }, () => inPlace('server', anyTime, fail));
  expect((await Promise.allSettled(all)).every(({ status }) => status === 'rejected')).toBe(true);
});
