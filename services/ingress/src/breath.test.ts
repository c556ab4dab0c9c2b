import { createBreath } from './understand.ts';

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
  const large = Buffer.alloc(1_000_000);

  it('the others have several turns when it is large', async () => {
    const breath = createBreath(large);
    busyFor(20);
    expect(await turnsDuring(() => breath.pause())).toBeGreaterThan(3);
  });

  it('nothing waits when it is small', async () => {
    const breath = createBreath(Buffer.alloc(100));
    busyFor(20);
    expect(await turnsDuring(() => breath.pause())).toBe(0);
  });

  it('the next large one begins after the others had their turns, the next small one at once', async () => {
    const ends = (bytes: Buffer) => {
      const breath = createBreath(bytes);
      busyFor(20);
      return turnsDuring(() => new Promise<void>((next) => breath.end(next)));
    };
    expect(await ends(large)).toBeGreaterThan(3);
    expect(await ends(Buffer.alloc(100))).toBe(0);
  });
});
