// What it costs to open the page of a preference center: CPU of all processes, and how long one person waits on an idle system.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Roster } from '@roster/client';
import { openPlainExpress, type PlainExpress } from '../baselines/open-bare.ts';
import type { Bench, Setting } from '../bench.ts';
import { type Cost, costOf } from '../cost.ts';
import { type CpuByProcess, startClock, total } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { inHands } from '../hands.ts';
import { against, each, inTurns } from '../in-turns.ts';
import { residents } from '../load/bodies.ts';
import { quantile } from '../stats.ts';

const name = (text: string): string => `\${${text}}`;

const ownPage = `<h1>News</h1><form method="post" action="{{preference_center_submit_url}}">
<input type="hidden" name="{% form_field_name :subscription_group demo-news %}" value="unsubscribed">
<input type="checkbox" name="{% form_field_name :subscription_group demo-news %}" value="subscribed"
{% if subscribed_state.${name('demo-news')} == 'subscribed' %}checked{% endif %}><button>Save</button></form>
{{content_blocks.${name('page-opened')}}}`;

const makeOwnCenter = async ({ content_blocks, preference_center }: Roster): Promise<string> => {
  await content_blocks.create({ name: 'page-opened', content: '<p>Example Ltd, Example City</p>' });
  const made = await preference_center.create({
    name: 'page-opened',
    preference_center_page_html: ownPage,
    confirmation_page_html: '<p>Saved</p>',
  });
  if (!('preference_center_api_id' in made)) throw new Error('the preference center is not made yet');
  return made.preference_center_api_id;
};

const linksTo = async ({ preference_center }: Roster, center: string, count: number): Promise<string[]> => {
  const links: string[] = [];
  for (let n = 0; n < count; n++) {
    const { preference_center_url } = await preference_center.user.get(center, `${residents.prefix}${n}`);
    links.push(preference_center_url);
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
  await inHands(count, atOnce, async (n) => times.push(await openOne(links[n % links.length] ?? '')));
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

/** Less what the processes would have used meanwhile without any page. */
const without = (idle: CpuByProcess, { perSecond, parts }: Cost): CpuByProcess =>
  Object.fromEntries(
    Object.entries(parts).map(([process, us]) => [
      process,
      Math.max(0, us - ((idle[process] ?? 0) * 1e6) / perSecond),
    ]),
  );

const yardstick = 'a page by plain Express';

interface Pages {
  plain: PlainExpress;
  links: readonly string[];
}

const cpuOf = async (
  setting: Setting,
  { plain, links }: Pages,
  { work, atMost }: { work: string; atMost: number },
): Promise<Figure> => {
  const { system, runs, quick } = setting;
  const count = quick ? 100 : 2_000;
  const open = async (of: readonly string[]): Promise<number> => (await openAll(of, count, 8)).length;
  const idle = await idleRates(setting);
  const pairs = await inTurns(runs, {
    ours: async () => without(idle, await costOf(system.allPids(), () => open(links))),
    bare: async () => (await costOf({ plain: plain.pid }, () => open([plain.url('/page')]))).parts,
  });
  const last = Object.entries(pairs.at(-1)?.ours ?? {}).filter(([, us]) => us >= 50);
  const detail = Object.fromEntries(last);
  return against({ work, yardstick, bar: { atMost }, unit: 'us', pairs: each(pairs, total), detail });
};

const waits = async ({ runs, quick }: Setting, { plain, links }: Pages): Promise<Figure> => {
  const count = quick ? 100 : 1_000;
  const pairs = await inTurns(runs, {
    ours: () => openAll(links, count, 1),
    bare: () => openAll([plain.url('/page')], count, 1),
  });
  return against({
    work: 'page opened, idle, one person, median',
    yardstick,
    bar: { atMost: 10 },
    unit: 'ms',
    pairs: each(pairs, (times) => quantile(times, 0.5)),
    detail: { 'p99 of the last run': quantile(pairs.at(-1)?.ours ?? [], 0.99) },
  });
};

export const pageOpened: Bench = {
  name: 'page-opened',
  async measure(setting) {
    const { roster } = setting.system;
    const own = await makeOwnCenter(roster);
    const plain = await openPlainExpress(setting);
    const usual = { plain, links: await linksTo(roster, 'default', 50) };
    const ours = { plain, links: await linksTo(roster, own, 50) };
    return [
      await cpuOf(setting, usual, { work: 'CPU a page opened, default preference center', atMost: 14 }),
      await cpuOf(setting, ours, { work: 'CPU a page opened, own HTML with a block', atMost: 22 }),
      await waits(setting, usual),
    ];
  },
};
