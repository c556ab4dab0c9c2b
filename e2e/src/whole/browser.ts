/** A real browser without a window, for the pages that people open. */
import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, launch, type Page } from 'puppeteer-core';

const missing = (error: unknown): Error =>
  new Error(
    `no browser: the one of @sparticuz/chromium (Linux x86-64) did not start. Name another Chromium by CHROMIUM_PATH. ${error}`,
  );

const path = async (): Promise<string> => process.env.CHROMIUM_PATH ?? chromium.executablePath();

/** That pages of other origins are not kept away, which they are in the browsers of people; and a graphics card played by the processor. */
const unwanted = /^--(disable-web-security|use-gl|use-angle|enable-unsafe-swiftshader)/;

const args = [...chromium.args.filter((one) => !unwanted.test(one)), '--disable-gpu'];

/** Without a browser these tests fail: they are about nothing else. */
export const openBrowser = async (): Promise<Browser> => {
  try {
    return await launch({ args, executablePath: await path(), headless: 'shell' });
  } catch (error) {
    throw missing(error);
  }
};

export const phone = { width: 360, height: 740 };
export const desk = { width: 1280, height: 800 };

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** What axe finds; the policy of the pages would not let its script in. `rules`: no others. */
const violationsOn = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  await page.evaluate(axe.source);
  const run = `axe.run(${JSON.stringify(rules ? { runOnly: rules } : {})})`;
  const { violations } = (await page.evaluate(run)) as { violations: Violation[] };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** Whether something stands beyond the right edge. */
const isTooWide = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Pictures for people to look at: `SCREENSHOTS=/some/folder`. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

/** Violations in HTML that others wrote, with the reason. */
export type Known = readonly { why: string; violation: RegExp }[];

/** The page fits the screen, and axe finds nothing but what is known. */
export const expectGood = async (
  page: Page,
  name: string,
  known: Known = [],
  rules?: readonly string[],
): Promise<void> => {
  await picture(page, name);
  expect([name, await isTooWide(page)]).toEqual([name, false]);
  const found = await violationsOn(page, rules);
  const ours = found.filter((one) => !known.some(({ violation }) => violation.test(one)));
  expect([name, ours]).toEqual([name, []]);
};
