/** The reference and the start page, used to the end in a real browser. */
import { until } from '@roster/testkit';
import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { useWorkspace } from '../shared.ts';
import { openBrowser } from './browser.ts';

const system = useWorkspace('looks');
/** Nobody has sent an event there yet. */
const fresh = useWorkspace('looks-first');
let browser: Browser;
let page: Page;
/** What the pages may not do: ask other hosts, break their policy, store something. */
let strange: string[];

const isOutside = (request: HTTPRequest): boolean =>
  !request.url().startsWith(`${system.base}/`) && !/^(data|blob|about):/.test(request.url());

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  strange = [];
  page = await browser.newPage();
  page.setDefaultTimeout(0);
  await page.setViewport({ width: 1280, height: 800 });
  page.on('request', (request) => {
    if (isOutside(request)) strange.push(request.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) strange.push(message.text());
  });
});
afterEach(async () => {
  const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
  expect(String(stored)).not.toContain(system.key);
  expect(strange).toEqual([]);
  await page.close();
});

const text = (): Promise<unknown> => page.evaluate('document.body.innerText');
const shows = (words: string) =>
  page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(words)})`);

/** Presses the first thing that people can see with these words. */
const press = async (words: string, selector = 'button'): Promise<void> => {
  const find = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.offsetParent !== null && one.innerText.includes(${JSON.stringify(words)}))`;
  await page.waitForFunction(find);
  await page.evaluate(`${find}.click()`);
};

const openDocs = async (path = '/docs'): Promise<void> => {
  await page.goto(`${system.base}${path}`);
  await shows('Record events, purchases and attributes');
};

/** The part of the first operation: what comes later is drawn when it is near. */
const first = '[id$="POST/users/track"]';

const pick = async (language: string): Promise<void> => {
  await page.waitForSelector(`${first} [data-testid="client-picker"]`);
  await page.evaluate(`document.querySelector('${first} [data-testid="client-picker"]').click()`);
  await press(language, '[role="option"]');
};

const codeHas = (words: string) =>
  page.waitForFunction(
    `document.querySelector('${first} .code-snippet').textContent.includes(${JSON.stringify(words)})`,
  );

const expectTwoScreens = async (width: number, height: number): Promise<void> => {
  await page.setViewport({ width, height });
  for (const _frame of [1, 2]) await page.evaluate('new Promise(requestAnimationFrame)');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  const high = await page.evaluate(`document.querySelector('${first}').offsetHeight`);
  expect(high).toBeLessThanOrEqual(2 * height);
};

/** It takes seconds to load, so a test does several things with it. */
describe('the reference', () => {
  it('shows a call in four languages on two screens, with the key of the address, which it takes out of the address', async () => {
    await openDocs(`/docs#key=${system.key}`);
    expect(page.url()).not.toContain(system.key);
    for (const [language, words] of [
      ['Node (@roster/client)', 'roster.users.track({'],
      ['Requests', 'requests.post('],
      ['cURL', 'curl_init('],
      ['Curl', '--header'],
    ] as const) {
      await pick(language);
      await codeHas(words);
      await codeHas(system.key);
      await codeHas(system.base);
    }
    await expectTwoScreens(1280, 800);
    await expectTwoScreens(390, 844);
  });

  it('sends an example, with a key that somebody types, and finds an operation', async () => {
    await openDocs();
    const field = await page.waitForSelector(
      '.section-container input[type="password"], .introduction-section input',
    );
    await field?.type(system.key);
    await codeHas(system.key);
    await press('Test Request', `${first} button`);
    await press('Send', '[role="dialog"] button');
    await until(async () => {
      const read = { external_ids: ['ada'], fields_to_export: ['custom_events'] };
      const { body } = await system.caller.post('/users/export/ids').send(read);
      return body.users?.[0]?.custom_events?.[0]?.name === 'signed_in';
    });
    await shows('201');
    await page.keyboard.press('Escape');
    await press('Search');
    await page.waitForSelector(
      '[role="dialog"] input[type="search"], [role="dialog"] input[role="combobox"]',
    );
    await page.keyboard.type('merge people');
    await page.waitForFunction(
      '[...document.querySelectorAll("[role=dialog] [role=option]")].some((one) => one.innerText.includes("Merge people"))',
    );
  });
});

describe('the start page', () => {
  it('ticks the steps when they are done', async () => {
    await page.goto(`${fresh.base}/#key=${fresh.key}`);
    await shows('Next steps');
    await shows('Requests are accepted.');
    expect(await text()).not.toContain('(done)');
    await fresh.track({
      events: [{ external_id: 'ada', name: 'signed_up', time: new Date().toISOString() }],
    });
    await shows('signed_up: 1');
    await page.waitForFunction('document.querySelector("#event .state").textContent === "(done)"');
    await press('Read ada');
    await page.waitForFunction('document.querySelector("#person .state").textContent === "(done)"');
    await press('Send the email');
    await shows('The email is stored: there is no mail server.');
    await press('I did this');
    await page.reload();
    for (const id of ['event', 'person', 'invite'])
      await page.waitForFunction(`document.querySelector("#${id} .state").textContent === "(done)"`);
    const stored = await page.evaluate('JSON.stringify(sessionStorage)');
    expect(stored).toContain('invite');
    expect(stored).not.toContain(fresh.key);
    // The steps of another key are its own.
    await page.goto(`${fresh.base}/#key=${system.key}`);
    await page.waitForFunction('document.querySelector("#ready").textContent !== ""');
    expect(await page.evaluate('document.querySelector("#invite .state").textContent')).toBe('');
  });

  it('shows the steps when the key comes into the address of an open page', async () => {
    await page.goto(`${system.base}/`);
    await page.goto(`${system.base}/#key=${system.key}`);
    await shows('Next steps');
  });

  it('has no steps without a key', async () => {
    await page.goto(`${system.base}/`);
    await until(async () => (await page.evaluate('document.readyState')) === 'complete');
    expect(await text()).not.toContain('Next steps');
  });
});
