/** What a newcomer sees first, in a real browser: the start page, the reference, and the pages of the monitor. */
import { startMonitor } from '@roster/monitor-service';
import type { Running } from '@roster/runtime';
import { contextIn, until } from '@roster/testkit';
import type { Browser, Page } from 'puppeteer-core';
import { useWhole, useWorkspace } from '../shared.ts';
import { desk, expectGood, type Known, openBrowser, phone } from './browser.ts';

const system = useWorkspace('first-pages');
const whole = useWhole();
let monitor: Running;
let browser: Browser;
let page: Page;

/** A long line, as people write them: it has to break. */
const html = `<h1>Hello, Ada</h1><p>${'a-long-word-'.repeat(40)}</p><script>document.title = ''</script>`;

/** Without a mail server it is stored in the outbox. */
const sendEmail = async (): Promise<void> => {
  await system.track({ attributes: [{ external_id: 'ada', email: 'ada@example.com' }] });
  const email = { app_id: 'demo-app', from: 'Shop <news@example.com>', subject: 'Welcome', body: html };
  const sent = { external_user_ids: ['ada'], messages: { email } };
  const { body } = await system.insist((caller) => caller.post('/messages/send').send(sent));
  await until(async () => {
    const { body: found } = await system.caller.get(`/sends/${body.dispatch_id}`);
    const [row] = (found.recipients ?? []) as { state: string }[];
    return row?.state === 'sent';
  });
};

beforeAll(async () => {
  browser = await openBrowser();
  const open = { MONITOR_SIGN_IN: 'never', OUTBOX_TOKEN: token };
  monitor = await startMonitor(await contextIn('monitor', { ...whole.variables, ...open }));
  await sendEmail();
});
afterAll(async () => {
  await browser?.close();
  await monitor?.stop();
});
beforeEach(async () => {
  page = await browser.newPage();
  // The reference is three megabytes of script: how long it takes is not the question.
  page.setDefaultTimeout(0);
});
afterEach(() => page.close());

const inMonitor = (path: string): string => `http://127.0.0.1:${monitor.port}${path}`;
const token = 'of-the-outbox'.padEnd(43, '-');
const outbox = (): string => inMonitor(`/outbox?workspace=${system.ws}&token=${token}`);

const follow = async (selector: string): Promise<void> => {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
};

const board = async (path = ''): Promise<void> => {
  await page.goto(inMonitor(`/board${path}`));
  await page.waitForSelector('a[href*="/board/queue/"]');
};

/** Bull Board comes compiled: its HTML can't be changed here. Each is one element of its frame, so that nothing of ours hides behind it. */
const ofBullBoard: Known = [
  { why: 'its icons have no names', violation: /^button-name: <button [^>]*class="button-/ },
  { why: 'its heading is no h1', violation: /^page-has-heading-one: <html/ },
  { why: 'its logo repeats the title', violation: /^image-redundant-alt: <img class="img-/ },
  { why: 'its picture of Redis has no title', violation: /^svg-img-alt: <svg xmlns="svg" width="42"/ },
  { why: 'its colours are pale', violation: /^color-contrast: <(kbd|small|span)[ >]/ },
  { why: 'its names of jobs are small headings', violation: /^heading-order: <h5 class="jobName-/ },
  { why: 'its link to schedulers', violation: /^label-content-name-mismatch: <a class="schedulersLink-/ },
];

/** Scalar comes compiled as well. */
const ofScalar: Known = [
  { why: 'its buttons to copy and to search have no names', violation: /^button-name: <button / },
  { why: 'its menu is made of buttons that can be selected', violation: /^aria-allowed-attr: <button / },
  { why: 'its search is a button, its menu an aside', violation: /^aria-allowed-role: <(button|aside) / },
  { why: 'its button for more', violation: /^label-content-name-mismatch: <button [^>]*class="show-more"/ },
  { why: 'its cards have one name', violation: /^landmark-unique: <div [^>]*class="scalar-card / },
  { why: 'its lists scroll', violation: /^scrollable-region-focusable: <ul / },
  { why: 'its small print is pale', violation: /^color-contrast: <(code|span|button|label)[ >]/ },
];

const knownOn: Record<string, Known> = { board: ofBullBoard, queue: ofBullBoard, reference: ofScalar };

const pages: Record<string, () => Promise<unknown>> = {
  start: () => page.goto(`${system.base}/`),
  'next steps': async () => {
    await page.goto(`${system.base}/#key=${system.key}`);
    await page.waitForFunction('document.querySelector("#ready").textContent !== ""');
  },
  reference: async () => {
    await page.goto(`${system.base}/docs`);
    await page.waitForSelector('[data-testid="client-picker"]');
  },
  monitor: () => page.goto(inMonitor('/')),
  'sign-in': () => page.goto(inMonitor('/sign-in')),
  board,
  queue: async () => {
    await board();
    const href = 'document.querySelector(\'a[href*="/board/queue/"]\').getAttribute("href")';
    await board(String(await page.evaluate(href)).replace('/board', ''));
    await page.waitForFunction("!document.body.innerText.includes('Loading')");
  },
  outbox: () => page.goto(outbox()),
  message: async () => {
    await page.goto(outbox());
    await follow('a[href^="/outbox/message"]');
    await page.waitForSelector('iframe');
  },
};

/** Colours change at once: between two of them axe would see neither. */
const still = `const still = new CSSStyleSheet();
still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }');
document.adoptedStyleSheets.push(still);`;

/** Shows the loaded page in other colours; the board notices in a frame of its own. */
const paint = async (scheme: string): Promise<void> => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  for (const _frame of [1, 2]) await page.evaluate('new Promise(requestAnimationFrame)');
};

const screens = [
  ['phone', phone],
  ['desk', desk],
] as const;

describe.each(Object.keys(pages))('the page %s', (name) => {
  it.each(screens)('fits a %s in light and in dark, and axe finds nothing', async (place, viewport) => {
    await page.setViewport(viewport);
    await pages[name]?.();
    await page.evaluate(still);
    await paint('light');
    await expectGood(page, `${name}-${place}-light`, knownOn[name]);
    // The same elements in other colours.
    await paint('dark');
    await expectGood(page, `${name}-${place}-dark`, knownOn[name], ['color-contrast']);
  });
});
