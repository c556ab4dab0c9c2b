/** In a thread as in production, what takes CPU time: hostile templates are stopped soon, and nobody is charged for neighbours. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { useThread } from '@roster/testkit';
import { cpuClockOf } from '@roster/threads';
import { type Liquid, type LiquidOptions, openLiquid } from './open-liquid.ts';
import { doubling, hello, hostile, hostileContents, loopsOver, outOfReach } from './testbed.ts';

jest.setTimeout(60_000);

const script = useThread(join(__dirname, 'liquid-thread.ts'));
let liquid: Liquid;

beforeAll(() => {
  liquid = openLiquid({ script: script(), threads: 1 });
});
afterAll(() => liquid.close());

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const clockOfProcess = (): (() => number) => {
  const before = cpuMs();
  return () => cpuMs() - before;
};

const ofSteps = (times: number): string => loopsOver(times, `${'{% assign b = a | upcase %}'.repeat(50)}`);

/** What a template takes that needs most of its steps, in a thread that is new as well: the yardstick of this run. */
const usualMs = async (): Promise<number> => {
  const another = openLiquid({ script: script(), threads: 1 });
  await another.render(hello);
  let told = 0;
  await another.metered((ms) => (told = ms)).render({ text: ofSteps(300), variables: { a: 'x' } });
  await another.close();
  return told;
};

let yardstick = 0;
beforeAll(async () => {
  yardstick = Math.min(await usualMs(), await usualMs(), await usualMs());
});

it.each(hostile)('%s: stopped within the CPU of a few usual templates', async (_what, text, blocks = {}) => {
  await liquid.render(hello);
  const before = cpuMs();
  let told = 0;
  const rendered = liquid.metered((ms) => (told = ms)).render({ text, blocks });
  await expect(rendered).rejects.toMatchObject({ fault: { kind: 'cost' } });
  const used = cpuMs() - before;
  expect(told).toBeLessThan(3 * yardstick);
  // All threads of the process.
  expect(used).toBeLessThan(4 * yardstick);
  expect(await liquid.render(hello)).toBe('Hello Ada');
});

it.each(hostileContents)(
  'the check of %s: at most the CPU of a few usual templates, and all of it is told',
  async (_what, content) => {
    await liquid.render(hello);
    const before = cpuMs();
    let told = 0;
    await liquid.metered((ms) => (told = ms)).check(content);
    const used = cpuMs() - before;
    expect(told).toBeLessThan(3 * yardstick);
    expect(used - told).toBeLessThan(yardstick);
  },
);

describe('beside other threads that are busy', () => {
  const busy: Worker[] = [];
  beforeAll(() => {
    for (let n = 0; n < 4; n++) busy.push(new Worker('for (;;);', { eval: true }));
  });
  afterAll(() => Promise.all(busy.map((one) => one.terminate())));

  /** A limit of CPU time that is four times what a template takes. */
  const isRefused = async (options: LiquidOptions): Promise<boolean> => {
    const innocent = ofSteps(300);
    const near = { ...outOfReach, cpuMs: 4 * yardstick };
    const beside = openLiquid({ script: script(), threads: 1, limits: near, ...options });
    await beside.render(hello);
    let refused = false;
    for (let n = 0; n < 8 && !refused; n++)
      await beside.render({ text: `${n}${innocent}`, variables: { a: 'x' } }).catch(() => (refused = true));
    await beside.close();
    return refused;
  };

  it('an innocent template is not charged for them', async () => {
    expect(await isRefused({})).toBe(false);
  });

  it('with the clock of the whole process it would be', async () => {
    expect(await isRefused({ clockOf: clockOfProcess })).toBe(true);
  });

  it('without them, a system that does not tell the time of a thread does as well', async () => {
    await Promise.all(busy.splice(0).map((one) => one.terminate()));
    expect(await isRefused({ clockOf: (worker) => cpuClockOf(worker, undefined) })).toBe(false);
  });
});

it('a thread has no more memory than its share', async () => {
  const before = process.memoryUsage().rss;
  const unbounded = openLiquid({ script: script(), threads: 1, limits: outOfReach });
  const fault = { kind: 'cost', reason: 'it takes too much memory' };
  await expect(unbounded.render({ text: doubling })).rejects.toMatchObject({ fault });
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024);
  await unbounded.close();
});
