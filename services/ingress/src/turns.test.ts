import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from './turns.ts';

const small = 100;

/** What has started, in order. A turn takes so many small requests. */
const openTurns = (most: number) => {
  const turns = createTurns(most * 1024);
  const started: string[] = [];
  const send = async (ws: string, name: string, bytes = small): Promise<void> => {
    const turn = turns.take(ws, bytes);
    if (turn) await turn;
    started.push(name);
  };
  const sendMany = (ws: string, count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, n) => send(ws, `${ws}${n}`)));
  return { started, send, sendMany };
};

describe('the turns of the event loop', () => {
  it('starts a few requests of a workspace at once, and the others in the next turns', async () => {
    const { started, sendMany } = openTurns(2);
    const all = sendMany('a', 5);
    expect(started).toEqual(['a0', 'a1']);
    await nextTurn();
    expect(started).toEqual(['a0', 'a1', 'a2', 'a3']);
    await all;
    expect(started).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  });

  it('lets the request of another workspace start before what waits', async () => {
    const { started, send, sendMany } = openTurns(2);
    const all = sendMany('loud', 500);
    await send('quiet', 'quiet');
    expect(started).toEqual(['loud0', 'loud1', 'quiet']);
    await all;
    expect(started).toHaveLength(501);
  });

  it('starts fewer large requests in a turn than small ones', async () => {
    const { started, send, sendMany } = openTurns(4);
    const large = [send('a', 'large0', 3_000), send('a', 'large1', 3_000), send('a', 'large2', 3_000)];
    const all = Promise.all([...large, sendMany('a', 4)]);
    expect(started).toEqual(['large0', 'large1']);
    await nextTurn();
    expect(started).toEqual(['large0', 'large1', 'large2', 'a0', 'a1']);
    await all;
    expect(started).toHaveLength(7);
  });

  it('lets nothing of a workspace overtake what waits', async () => {
    const { started, send, sendMany } = openTurns(2);
    const all = sendMany('a', 5);
    await nextTurn();
    await Promise.all([all, send('a', 'late')]);
    expect(started).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'late']);
  });

  it('begins anew when nothing has come for a turn', async () => {
    const { started, sendMany } = openTurns(2);
    await sendMany('a', 2);
    await nextTurn();
    await nextTurn();
    void sendMany('a', 2);
    expect(started).toHaveLength(4);
  });
});
