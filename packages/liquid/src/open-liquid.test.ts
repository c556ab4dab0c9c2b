/** In threads as in production. Limits of time are out of reach, where they are not what is tested: only events decide. */
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { useThread } from '@roster/testkit';
import { cpuClockOf } from '@roster/threads';
import { type Liquid, type LiquidOptions, openLiquid } from './open-liquid.ts';
import { doubling, endless, hello, hostile, large, loopsOver, outOfReach } from './testbed.ts';

const script = useThread(join(__dirname, 'liquid-thread.ts'));
const opened: Liquid[] = [];
const open = (options: LiquidOptions = {}): Liquid => {
  const liquid = openLiquid({ script: script(), threads: 1, ...options });
  opened.push(liquid);
  return liquid;
};
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const { steps: _, made: _made, ...noClock } = outOfReach;

/** With the threads in which the templates ran, one after the other. */
const openSeen = (limits: LiquidOptions['limits']) => {
  const seen: unknown[] = [];
  const clockOf: typeof cpuClockOf = (worker, task) => {
    seen.push(worker);
    return cpuClockOf(worker, task);
  };
  return { liquid: open({ clockOf, ...(limits && { limits }) }), seen };
};

const expectSameThread = async ({ liquid, seen }: ReturnType<typeof openSeen>, isSame: boolean) => {
  expect(await liquid.render(hello)).toBe('Hello Ada');
  expect(seen[1] === seen[0]).toBe(isSame);
};

const costs = (reason: unknown) => ({ fault: { kind: 'cost', reason } });

it.each(hostile)('%s: refused, and the same thread goes on', async (_what, text, blocks = {}) => {
  const watched = openSeen(noClock);
  await expect(watched.liquid.render({ text, blocks })).rejects.toMatchObject(costs(expect.any(String)));
  await expectSameThread(watched, true);
});

it.each(large)('%s, as large as may be: rendered, and the same thread goes on', async (_what, text) => {
  const watched = openSeen(noClock);
  await watched.liquid.render({ text });
  await expectSameThread(watched, true);
});

it.each([
  ['memory', outOfReach, { text: doubling }, 'it takes too much memory'],
  ['CPU time', { ...outOfReach, cpuMs: 500 }, endless, 'it takes too much time'],
])(
  'a template without end of %s ends its thread, and the next one gets a new one',
  async (_what, limits, template, reason) => {
    const watched = openSeen(limits);
    await expect(watched.liquid.render(template)).rejects.toMatchObject(costs(reason));
    await expectSameThread(watched, false);
  },
);

it('a thread that gets no processor is ended as well', async () => {
  const liquid = open({ limits: { ...outOfReach, wallMs: 50 } });
  await expect(liquid.render(endless)).rejects.toMatchObject(costs('it takes too much time'));
});

it('a thread has a lower priority than the event loop of its process', async () => {
  const priorities: number[] = [];
  const clockOf: typeof cpuClockOf = (worker, task = '') => {
    priorities.push(getPriority(Number(task.split('/').at(-1))));
    return cpuClockOf(worker, task);
  };
  expect(await open({ clockOf }).render(hello)).toBe('Hello Ada');
  expect(priorities).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
  expect(getPriority()).toBe(constants.priority.PRIORITY_NORMAL);
});

it('while one template takes its time, others go on in the other thread, and so does the event loop', async () => {
  const two = open({ threads: 2, limits: outOfReach });
  await Promise.all([two.render(hello), two.render(hello)]);
  let isOver = false;
  const slow = two.render(endless).catch(() => (isOver = true));
  for (let n = 0; n < 4; n++) expect(await two.render(hello)).toBe('Hello Ada');
  for (let n = 0; n < 100; n++) await turn();
  expect(isOver).toBe(false);
  await two.close();
  await slow;
});

it('checks and renders in the same way as without a thread', async () => {
  const liquid = open();
  expect(await liquid.check('{% if %}')).toMatchObject({ faults: [{ kind: 'syntax', line: 1 }] });
  expect(await liquid.check('x')).toEqual({ faults: [], includes: [], centers: [], states: [], names: [] });
  expect(await liquid.render(hello)).toBe('Hello Ada');
  expect(await openLiquid().render(hello)).toBe('Hello Ada');
});

describe.each([
  ['in a thread', (steps: number) => open({ limits: { ...noClock, steps } })],
  ['without one', (steps: number) => openLiquid({ limits: { steps } })],
])('a series %s', (_where, openWith) => {
  const costly = loopsOver(30, '');

  it('ends with the person with whom the steps of one template are used up', async () => {
    const variables = [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }];
    const texts = [{ text: `${costly}{{n}}` }];
    const { rendered, steps } = await openWith(150).renderSome({ texts, variables });
    expect(rendered).toEqual([['0'], ['1']]);
    expect(steps).toBeGreaterThanOrEqual(150);
    const more = await openWith(steps + 1).renderSome({ texts, variables });
    expect(more.rendered).toEqual([['0'], ['1'], ['2']]);
  });

  it('gives each person the steps of one template, whoever stands before them', async () => {
    const texts = [{ text: `{{n}}${costly}` }];
    const alone = (await openWith(1000).renderSome({ texts, variables: [{ n: 0 }] })).steps;
    const variables = [{ n: 1 }, { n: 2 }];
    expect(
      (await openWith(alone).renderSome({ texts, variables: [{ n: 0 }, ...variables] })).rendered,
    ).toEqual([['0']]);
    const { rendered } = await openWith(alone - 1).renderSome({ texts, variables });
    expect(rendered).toEqual([{ kind: 'cost', reason: `it takes more than ${alone - 1} steps` }]);
  });

  it('refuses the one person for whom it costs too much alone', async () => {
    const texts = [{ text: `{% if n == 1 %}${loopsOver(500, '')}{% endif %}{{n}}` }];
    const liquid = openWith(500);
    const { rendered } = await liquid.renderSome({ texts, variables: [{ n: 0 }, { n: 1 }, { n: 2 }] });
    expect(rendered).toEqual([['0'], { kind: 'cost', reason: 'it takes more than 500 steps' }]);
    expect((await liquid.renderSome({ texts, variables: [{ n: 2 }] })).rendered).toEqual([['2']]);
  });

  it('ends when a million characters are written out, and gives no person more', async () => {
    const liquid = openWith(1_000_000);
    const half = 'x'.repeat(600_000);
    const texts = [{ text: '{{a}}' }, { text: '{{b}}' }];
    const three = (a: string, b: string) => ({ variables: Array(3).fill({ a, b }), texts });
    expect((await liquid.renderSome(three(half, ''))).rendered).toHaveLength(2);
    const { rendered } = await liquid.renderSome(three(half, half));
    const reason = 'more than 1048576 characters are written out';
    expect(rendered[0]).toMatchObject({ kind: 'cost', reason });
  });
});

it('many templates of one owner do not hold up the one of another', async () => {
  const liquid = open();
  const order: string[] = [];
  const render = (owner: string) => liquid.metered(() => order.push(owner), owner).render(hello);
  await Promise.all(['loud', 'loud', 'loud', 'loud', 'quiet'].map(render));
  expect(order).toEqual(['loud', 'loud', 'quiet', 'loud', 'loud']);
});
