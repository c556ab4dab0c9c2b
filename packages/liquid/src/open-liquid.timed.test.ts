/** In a thread as in production: hostile templates are stopped, and others go on meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Template } from './fault.ts';
import { limits } from './limits.ts';
import { type Liquid, type LiquidOptions, openLiquid } from './open-liquid.ts';
import { cpuClockOf } from './thread-clock.ts';

jest.setTimeout(60_000);

let folder: string;
let script: URL;
let liquid: Liquid;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roster-liquid-'));
  const outfile = join(folder, 'liquid-thread.mjs');
  const banner = {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  };
  const entryPoints = [join(__dirname, 'liquid-thread.ts')];
  await build({ entryPoints, outfile, banner, bundle: true, format: 'esm', platform: 'node' });
  script = pathToFileURL(outfile);
  liquid = openLiquid({ script, threads: 1 });
});
afterAll(async () => {
  await liquid.close();
  rmSync(folder, { recursive: true, force: true });
});

const hello: Template = { text: 'Hello {{name}}', variables: { name: 'Ada' } };

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const loops = (depth: number, inside: string): string =>
  '{% for i in (1..1000) %}'.repeat(depth) + inside + '{% endfor %}'.repeat(depth);

const loopsOver = (times: number, inside: string): string =>
  `{% for i in (1..${times}) %}${inside}{% endfor %}`;

const clockOfProcess = (): (() => number) => {
  const before = cpuMs();
  return () => cpuMs() - before;
};

/** What gets past the limits of the library, which counts what filters make and nothing else. */
const grows =
  "{% assign a = 'xxxxxxxxxxxxxxxx' %}{% for i in (1..200) %}{% capture a %}{{a}}{{a}}{% endcapture %}{% endfor %}";

/** Each block includes the next one twice: 2^18 renderings of nothing. */
const twice = Object.fromEntries(
  Array.from({ length: 18 }, (_, n) => [`b${n}`, `{{content_blocks.b${n + 1}}}`.repeat(2)]),
);

const hostile: [what: string, text: string, blocks?: Template['blocks']][] = [
  ['loops without end', loops(20, '')],
  ['loops that count', loops(20, '{% increment n %}')],
  ['loops that write', loops(20, 'x')],
  ['text that doubles in a capture', grows],
  ['deep nesting', '{% if x %}'.repeat(5_000)],
  ['a million outputs', '{{a}}'.repeat(800_000)],
  ['blocks that double', '{{content_blocks.b0}}', { ...twice, b18: '' }],
  ['garbage', loops(20, "{% assign a = 'x,y,z,w' | split: ',' %}")],
  ['names of prototypes', `{% assign a = "__proto__" %}${loops(20, '{{ x[a][a].constructor }}')}`],
];

it.each(hostile)('%s: stopped within 100 ms of CPU', async (_what, text, blocks = {}) => {
  await liquid.render(hello);
  const before = cpuMs();
  let told = 0;
  const rendered = liquid.metered((ms) => (told = ms)).render({ text, blocks });
  await expect(rendered).rejects.toMatchObject({ fault: { kind: 'cost' } });
  const used = cpuMs() - before;
  expect(told).toBeLessThan(100 + limits.renewMs);
  // All threads of the process; the end of one thread and the start of the next one are in it.
  expect(used).toBeLessThan(200);
  expect(await liquid.render(hello)).toBe('Hello Ada');
});

/** Of 50 KB, as large as a content may be. */
const hostileContents: [what: string, content: string][] = [
  ['ten thousand outputs', '{{a}}'.repeat(10_000)],
  ['conditions in a row', '{% if a %}{% endif %}'.repeat(2_500)],
  ['one long condition', `{% if a${' and a'.repeat(8_000)} %}{% endif %}`],
  ['blocks', Array.from({ length: 2_000 }, (_, n) => `{{content_blocks.b${n}}}`).join('')],
  ['a long chain of filters', `{{a${'|upcase'.repeat(7_000)}}}`],
  ['a long path', `{{a${'.a'.repeat(25_000)}}}`],
];

it.each(hostileContents)(
  'the check of %s: at most 100 ms of CPU, and all of it is told',
  async (_what, content) => {
    await liquid.render(hello);
    const before = cpuMs();
    let told = 0;
    await liquid.metered((ms) => (told = ms)).check(content);
    const used = cpuMs() - before;
    expect(told).toBeLessThan(100 + limits.renewMs);
    expect(used - told).toBeLessThan(100);
  },
);

it('a template that takes its time delays nobody while another thread is free', async () => {
  const two = openLiquid({ script, threads: 2 });
  await Promise.all([two.render(hello), two.render(hello)]);
  let isOver = false;
  const slow = two.render({ text: loops(20, '') }).catch(() => (isOver = true));
  for (let n = 0; n < 4; n++) await two.render(hello);
  expect(isOver).toBe(false);
  await slow;
  await two.close();
});

describe('beside other threads that are busy', () => {
  const busy: Worker[] = [];
  beforeAll(() => {
    for (let n = 0; n < 10; n++) busy.push(new Worker('for (;;);', { eval: true }));
  });
  afterAll(() => Promise.all(busy.map((one) => one.terminate())));

  /** About 10 ms of CPU: an eighth of the limit. */
  const templateOf = (rounds: number): string =>
    loopsOver(rounds, `${'{% assign b = "x" | append: "y" %}'.repeat(50)}{{b}}`);
  const innocent = templateOf(50);
  const isRefused = async (options: LiquidOptions): Promise<boolean> => {
    const beside = openLiquid({ script, threads: 1, ...options });
    // The code of the engine is slow until it is compiled.
    for (let n = 0; n < 20; n++) await beside.render({ text: `${n}${templateOf(5)}` }).catch(() => {});
    let refused = false;
    for (let n = 0; n < 8 && !refused; n++)
      await beside.render({ text: `${n}${innocent}` }).catch(() => (refused = true));
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
  // A comparison makes one text of the many parts that a capture leaves.
  const doubled = "{% capture a %}{{a}}{{a}}{% endcapture %}{% if a contains 'y' %}{% endif %}";
  const text = `{% assign a = 'xxxxxxxxxxxxxxxx' %}${loopsOver(200, doubled)}`;
  const reason = 'it takes too much memory';
  await expect(liquid.render({ text })).rejects.toMatchObject({ fault: { kind: 'cost', reason } });
  expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024);
});

it('others go on meanwhile', async () => {
  const two = openLiquid({ script, threads: 2 });
  await two.render(hello);
  await two.render(hello);
  const order: string[] = [];
  const bad = two.render({ text: loops(20, '') }).catch(() => order.push('bad'));
  await two.render(hello).then(() => order.push('good'));
  await bad;
  expect(order).toEqual(['good', 'bad']);
  await two.close();
});

it('the event loop of the worker goes on meanwhile', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await liquid.render({ text: loops(20, '') }).catch(() => {});
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

it('checks and renders in the same way as without a thread', async () => {
  expect(await liquid.check('{% if %}')).toMatchObject({ faults: [{ kind: 'syntax', line: 1 }] });
  expect(await liquid.check('x')).toEqual({ faults: [], includes: [] });
  expect(await openLiquid().render(hello)).toBe('Hello Ada');
});

it('a series that costs too much together is rendered person by person', async () => {
  const costly = `{% if n == 1 %}${loops(3, '')}{% endif %}{{n}}`;
  const rendered = await liquid.renderEach({
    texts: [{ text: costly }],
    variables: [{ n: 0 }, { n: 1 }, { n: 2 }],
  });
  expect(rendered).toEqual([['0'], expect.objectContaining({ kind: 'cost' }), ['2']]);
});
