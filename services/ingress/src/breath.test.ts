import { setTimeout as sleep } from 'node:timers/promises';
import { createBreaths } from './breath.ts';

const large = 1_000_000;

const busyFor = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

/** Turns of the event loop that others have until it is done. */
const turnsDuring = async (work: () => unknown): Promise<number> => {
  let turns = 0;
  let goesOn = true;
  const turn = (): void => {
    turns++;
    if (goesOn) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  goesOn = false;
  return turns;
};

describe('between the steps of a body', () => {
  it('the others have several turns when it is large', async () => {
    const breath = createBreaths()(large);
    await breath.begin();
    busyFor(20);
    expect(await turnsDuring(() => breath.pause())).toBeGreaterThan(3);
  });

  it('the others have a turn also when the step was short', async () => {
    const breath = createBreaths()(large);
    await breath.begin();
    expect(await turnsDuring(() => breath.pause())).toBeGreaterThan(0);
  });

  it('nothing waits when it is small', async () => {
    const breath = createBreaths()(100);
    await breath.begin();
    busyFor(20);
    expect(await turnsDuring(() => breath.pause())).toBe(0);
  });

  it('steps of other large bodies do not come', async () => {
    const breaths = createBreaths();
    const steps: string[] = [];
    const body = async (name: string): Promise<void> => {
      const breath = breaths(large);
      await breath.begin();
      for (let step = 0; step < 3; step++) {
        steps.push(name);
        busyFor(6);
        await breath.pause();
      }
      breath.end();
    };
    const turns = turnsDuring(() => Promise.all([body('a'), body('b'), body('c')]));
    expect(await turns).toBeGreaterThan(9);
    // One after the other, so that few are in hand at a time.
    expect(steps.join('')).toBe('aaabbbccc');
  });

  it('the next large one begins after the others had their turns, the next small one at once', async () => {
    const breaths = createBreaths();
    const first = breaths(large);
    await first.begin();
    busyFor(20);
    first.end();
    first.end();
    expect(await turnsDuring(() => breaths(100).begin())).toBe(0);
    expect(await turnsDuring(() => breaths(large).begin())).toBeGreaterThan(3);
  });

  it('one that has ended delays no other', async () => {
    const breaths = createBreaths();
    for (let n = 0; n < 3; n++) {
      const breath = breaths(large);
      await breath.begin();
      breath.end();
      await sleep(5);
    }
    expect(await turnsDuring(() => breaths(large).begin())).toBe(0);
  });
});
