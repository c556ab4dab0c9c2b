/** In a thread as in production: hostile templates are stopped, and others go on meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Template } from './fault.ts';
import { type Liquid, openLiquid } from './open-liquid.ts';

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

/** What gets past the limits of the library, which counts what filters make and nothing else. */
const grows =
  "{% assign a = 'xxxxxxxxxxxxxxxx' %}{% for i in (1..200) %}{% capture a %}{{a}}{{a}}{% endcapture %}{% endfor %}";

const hostile: [what: string, text: string][] = [
  ['loops without end', loops(20, '')],
  ['loops that count', loops(20, '{% increment n %}')],
  ['loops that write', loops(20, 'x')],
  ['text that doubles in a capture', grows],
  ['deep nesting', '{% if x %}'.repeat(5_000)],
  ['a million outputs', '{{a}}'.repeat(800_000)],
  ['names of prototypes', `{% assign a = "__proto__" %}${loops(20, '{{ x[a][a].constructor }}')}`],
];

it.each(hostile)('%s: stopped within 100 ms of CPU', async (_what, text) => {
  await liquid.render(hello);
  const before = cpuMs();
  await expect(liquid.render({ text })).rejects.toMatchObject({ fault: { kind: 'cost' } });
  const used = cpuMs() - before;
  // The end of one thread and the start of the next one are in it.
  expect(used).toBeLessThan(250);
  expect(await liquid.render(hello)).toBe('Hello Ada');
});

it('a thread has no more memory than its share', async () => {
  const before = process.memoryUsage().rss;
  const text = `{% for i in (1..100000) %}{% capture a %}{{a}}${'x'.repeat(50_000)}{{i}}{% endcapture %}{% endfor %}`;
  await expect(liquid.render({ text })).rejects.toMatchObject({ fault: { kind: 'cost' } });
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
