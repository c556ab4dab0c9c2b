import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from './turns.ts';

/** What has started, in order. */
const openTurns = (most: number) => {
  const turns = createTurns(most);
  const started: string[] = [];
  const send = async (ws: string, name: string): Promise<void> => {
    const turn = turns.take(ws);
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
