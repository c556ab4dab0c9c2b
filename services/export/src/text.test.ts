import { createSlots } from '@roster/batch';
import { createBreath, eachOf } from '@roster/store';
import { textOf } from './testbed.ts';
import { createText } from './text.ts';

describe('a text that grows', () => {
  it('is one string when it is short', () => {
    const text = createText();
    for (const part of ['{', '"ü"', '}']) text.add(part);
    expect(text.finish()).toEqual({ body: '{"ü"}' });
  });

  it('is in pieces when it is long, and nothing of it is lost', () => {
    const text = createText();
    const part = 'ü€𝒳'.repeat(10_000);
    for (let n = 0; n < 30; n++) text.add(part);
    const finished = text.finish();
    expect(finished.rest?.length).toBeGreaterThan(2);
    expect(textOf(finished)).toBe(part.repeat(30));
  });

  it('has no piece that is larger than the others, however large a part is', () => {
    const text = createText();
    const part = 'ü€𝒳'.repeat(100_000);
    text.add('x');
    text.add(part);
    const finished = text.finish();
    for (const { length } of finished.rest ?? []) expect(length).toBeLessThanOrEqual(256 * 1024);
    expect(textOf(finished)).toBe(`x${part}`);
  });
});

describe('long work', () => {
  it('lets others have the event loop every few milliseconds', async () => {
    const breath = createBreath();
    async function* forMs(ms: number) {
      for (const until = performance.now() + ms; performance.now() < until; ) yield 1;
    }
    let turns = 0;
    let working = true;
    const count = () => {
      turns += 1;
      if (working) setImmediate(count);
    };
    setImmediate(count);
    await eachOf(forMs(200), breath, (one) => one);
    working = false;
    expect(turns).toBeGreaterThan(2);
  });

  it('is done by few at once, and by all in the end', async () => {
    const slots = createSlots(2);
    let [running, most] = [0, 0];
    const work = async () => {
      const leave = await slots('demo');
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      leave();
      leave();
    };
    await Promise.all(Array.from({ length: 7 }, work));
    expect(most).toBe(2);
    expect(await Promise.all([slots('demo'), slots('other')])).toHaveLength(2);
  });

  it('gives a free slot to the workspace that holds the fewest', async () => {
    const slots = createSlots(2);
    const leaves = [await slots('loud'), await slots('loud')];
    const order: string[] = [];
    const came = ['loud', 'loud', 'quiet', 'loud'].map((ws, n) =>
      slots(ws).then((leave) => {
        order.push(`${ws} ${n}`);
        leaves.push(leave);
      }),
    );
    for (let n = 0; n < came.length; n++) {
      leaves.shift()?.();
      await Promise.race(came.slice(n));
      await new Promise(setImmediate);
    }
    expect(order).toEqual(['quiet 2', 'loud 0', 'loud 1', 'loud 3']);
  });

  it('does not wait for ever for an answer that is never sent', async () => {
    const slots = createSlots(1, 50);
    await slots('demo');
    const began = performance.now();
    (await slots('demo'))();
    expect(performance.now() - began).toBeGreaterThan(30);
  });
});
