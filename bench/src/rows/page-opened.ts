// What it costs to open the page of a preference center: CPU of all processes, and how long one person waits on an idle system.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Setting } from '../bench.ts';
import { type CpuByProcess, startClock, total } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { residents } from '../load/bodies.ts';
import { quantile } from '../stats.ts';

const name = (text: string): string => `\${${text}}`;

const ownPage = `<h1>News</h1><form method="post" action="{{preference_center_submit_url}}">
<input type="hidden" name="{% form_field_name :subscription_group demo-news %}" value="unsubscribed">
<input type="checkbox" name="{% form_field_name :subscription_group demo-news %}" value="subscribed"
{% if subscribed_state.${name('demo-news')} == 'subscribed' %}checked{% endif %}><button>Save</button></form>
{{content_blocks.${name('page-opened')}}}`;

const createCaller = ({ system: { trackUrl, apiKey } }: Setting) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  return async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const answer = await fetch(new URL(path, trackUrl), { headers, ...init });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
};

type Call = ReturnType<typeof createCaller>;

const makeOwnCenter = async (call: Call): Promise<string> => {
  await call('/content_blocks/create', { name: 'page-opened', content: '<p>Example Ltd, Example City</p>' });
  const made = await call('/preference_center/v1', {
    name: 'page-opened',
    preference_center_page_html: ownPage,
    confirmation_page_html: '<p>Saved</p>',
  });
  return String(made.preference_center_api_id);
};

const linksTo = async (call: Call, center: string, count: number): Promise<string[]> => {
  const links: string[] = [];
  for (let n = 0; n < count; n++) {
    const path = `/preference_center/v1/${center}/url/${residents.prefix}${n}`;
    links.push(String((await call(path)).preference_center_url));
  }
  return links;
};

/** Milliseconds until the last byte. */
const openOne = async (link: string): Promise<number> => {
  const began = performance.now();
  const page = await fetch(link);
  const html = await page.text();
  if (page.status !== 200 || !html.includes('<form')) throw new Error(`a page was answered ${page.status}`);
  return performance.now() - began;
};

const openAll = async (links: readonly string[], count: number, atOnce: number): Promise<number[]> => {
  const times: number[] = [];
  let next = 0;
  const visitor = async (): Promise<void> => {
    while (next < count) times.push(await openOne(links[next++ % links.length] ?? ''));
  };
  await Promise.all(Array.from({ length: atOnce }, visitor));
  return times;
};

const idleSeconds = 3;

/** Seconds of CPU that each process uses in a second without any request. */
const idleRates = async ({ system, quick }: Setting): Promise<CpuByProcess> => {
  const seconds = quick ? 1 : idleSeconds;
  const clock = startClock(system.allPids());
  await sleep(seconds * 1_000);
  return Object.fromEntries(Object.entries(clock()).map(([process, cpu]) => [process, cpu / seconds]));
};

/** Microseconds for a page by process, less what the process would have used without it. */
const spentOn = (cpu: CpuByProcess, idle: CpuByProcess, seconds: number, pages: number): CpuByProcess =>
  Object.fromEntries(
    Object.entries(cpu).map(([process, used]) => [
      process,
      Math.round((Math.max(0, used - (idle[process] ?? 0) * seconds) * 1e6) / pages),
    ]),
  );

const cpuOf = async (
  setting: Setting,
  { work, atMost }: { work: string; atMost: number },
  links: readonly string[],
): Promise<Figure> => {
  const { system, runs, quick } = setting;
  const pages = quick ? 100 : 2_000;
  const measured: CpuByProcess[] = [];
  await openAll(links, pages, 8);
  const idle = await idleRates(setting);
  for (let run = 0; run < runs; run++) {
    const [clock, began] = [startClock(system.allPids()), performance.now()];
    await openAll(links, pages, 8);
    measured.push(spentOn(clock(), idle, (performance.now() - began) / 1_000, pages));
  }
  const last = Object.entries(measured.at(-1) ?? {}).filter(([, us]) => us >= 50);
  return { work, unit: 'us', bar: { atMost }, runs: measured.map(total), detail: Object.fromEntries(last) };
};

const waits = async ({ runs, quick }: Setting, links: readonly string[]): Promise<Figure> => {
  const slow: number[] = [];
  const medians: number[] = [];
  for (let run = 0; run < runs; run++) {
    const times = await openAll(links, quick ? 100 : 1_000, 1);
    slow.push(quantile(times, 0.99));
    medians.push(quantile(times, 0.5));
  }
  return {
    work: 'page opened, idle, one person, p99',
    unit: 'ms',
    bar: { atMost: 30 },
    runs: slow,
    detail: { median: quantile(medians, 0.5) },
  };
};

export const pageOpened: Bench = {
  name: 'page-opened',
  async measure(setting) {
    const call = createCaller(setting);
    const own = await makeOwnCenter(call);
    const links = await linksTo(call, 'default', 50);
    const ownLinks = await linksTo(call, own, 50);
    return [
      await cpuOf(setting, { work: 'CPU a page opened, default preference center', atMost: 3_500 }, links),
      await cpuOf(setting, { work: 'CPU a page opened, own HTML with a block', atMost: 6_000 }, ownLinks),
      await waits(setting, links),
    ];
  },
};
