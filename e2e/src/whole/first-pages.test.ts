/** What a newcomer sees first, in a real browser: the start page and the reference. */
import type { Browser, Page } from 'puppeteer-core';
import { useWorkspace } from '../shared.ts';
import { desk, isTooWide, openBrowser, phone, violationsOn } from './browser.ts';

const system = useWorkspace('first-pages');
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  page = await browser.newPage();
  // The reference is two megabytes of script: how long it takes is not the question.
  page.setDefaultTimeout(0);
});
afterEach(() => page.close());

it.each([
  ['a phone', phone, 'light'],
  ['a phone at night', phone, 'dark'],
  ['a desk', desk, 'light'],
])('the start page fits %s, and axe finds nothing', async (_where, viewport, scheme) => {
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(`${system.base}/`);
  expect([await isTooWide(page), await violationsOn(page)]).toEqual([false, []]);
});

it('the dialog of the reference begins at the API key', async () => {
  await page.goto(`${system.base}/docs`);
  await (await page.waitForSelector('.btn.authorize'))?.click();
  await page.waitForFunction("document.activeElement?.closest('.auth-container') !== null");
  const first = 'document.activeElement === document.querySelector(".auth-container input")';
  await page.waitForFunction(first);
});
