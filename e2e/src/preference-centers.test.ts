/** Preference centers from the interface to the history of consent: people open, choose and send in a real browser, and by bare requests. */
import type { Browser, Page } from 'puppeteer-core';
import { desk, isTooWide, openBrowser, phone, violationsOn } from './browser.ts';
import { type System, startSystem } from './system.ts';

jest.setTimeout(120_000);

let system: System;
let browser: Browser;

beforeAll(async () => {
  system = await startSystem({ identity: {}, subscription: true, messaging: true });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

let count = 0;

/** A person with an email and a phone. */
const somebody = async (more: object = {}): Promise<string> => {
  const id = `person-${++count}`;
  const contact = { email: `${id}@example.com`, phone: `+1500555${String(1000 + count)}` };
  await system.track({ attributes: [{ external_id: id, ...contact, ...more }] });
  return id;
};

const addressOf = async (id: string, center = 'default'): Promise<string> => {
  const path = `/preference_center/v1/${center}/url/${encodeURIComponent(id)}`;
  const { body } = await system.send(path, { method: 'GET' });
  return String(body.preference_center_url);
};

const statesOf = async (id: string): Promise<[email: unknown, groups: Record<string, unknown>]> => {
  const exported = await system.exported(id, ['email_subscribe', 'subscription_groups']);
  const groups = (exported?.subscription_groups ?? []) as { id: string; state: unknown }[];
  return [exported?.email_subscribe, Object.fromEntries(groups.map((one) => [one.id, one.state]))];
};

const historyOf = async (id: string): Promise<Record<string, unknown>[]> => {
  const { body } = await system.send(`/subscription/history?external_id=${id}`, { method: 'GET' });
  return body.changes as Record<string, unknown>[];
};

const visit = async (
  url: string,
  size: { width: number; height: number },
  scheme = 'light',
): Promise<Page> => {
  const page = await browser.newPage();
  await page.setViewport(size);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const answer = await page.goto(url);
  expect(answer?.status()).toBe(200);
  return page;
};

/** Pictures for people to look at: `SCREENSHOTS=/some/folder`. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

const send = async (page: Page): Promise<string> => {
  await Promise.all([page.waitForNavigation(), page.click('button')]);
  return page.$eval('body', (body) => body.textContent ?? '');
};

const expectGood = async (page: Page, name: string): Promise<void> => {
  await picture(page, name);
  expect([name, await isTooWide(page)]).toEqual([name, false]);
  expect([name, await violationsOn(page)]).toEqual([name, []]);
};

describe('the default preference center', () => {
  it.each([
    ['phone', phone, 'light'],
    ['phone', phone, 'dark'],
    ['desk', desk, 'light'],
    ['desk', desk, 'dark'],
  ] as const)('on a %s %o, %s: two groups are changed', async (place, size, scheme) => {
    const id = await somebody({
      subscription_groups: [{ subscription_group_id: 'demo-news', subscription_state: 'subscribed' }],
    });
    const page = await visit(await addressOf(id), size, scheme);
    await expectGood(page, `default-${place}-${scheme}`);
    await page.click('#email-0');
    await page.click('#text-0');
    expect(await send(page)).toContain('Your choices are saved');
    await expectGood(page, `saved-${place}-${scheme}`);
    expect(await statesOf(id)).toEqual([
      undefined,
      { 'demo-news': 'unsubscribed', 'demo-texts': 'subscribed' },
    ]);
    const [first, second] = (await historyOf(id)).filter(({ consent }) => consent === 'subscription_group');
    for (const change of [first, second])
      expect(change).toMatchObject({
        operation: 'preference_center.submit',
        preference_center_api_id: 'default',
      });
    const outcome = await system.send(`/requests/${first?.request_id}`, { method: 'GET' });
    expect(outcome.body).toMatchObject({
      state: 'applied',
      entries: { service_ids: Array(2).fill({ result: 'updated' }) },
    });
    await page.close();
  });

  it('unsubscribes from everything by keyboard alone, and takes it back', async () => {
    const id = await somebody({
      email_subscribe: 'opted_in',
      subscription_groups: [{ subscription_group_id: 'demo-news', subscription_state: 'subscribed' }],
    });
    const page = await visit(await addressOf(id), desk);
    for (const key of ['Tab', 'Tab', 'Tab', 'Space', 'Tab'] as const) await page.keyboard.press(key);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(await statesOf(id)).toEqual([
      'unsubscribed',
      { 'demo-news': 'unsubscribed', 'demo-texts': 'unsubscribed' },
    ]);
    await expectGood(page, 'everything-saved');
    await Promise.all([page.waitForNavigation(), page.click('a.button')]);
    await expectGood(page, 'everything');
    await page.click('#everything');
    await page.click('#email-0');
    await send(page);
    expect(await statesOf(id)).toEqual([
      'opted_in',
      { 'demo-news': 'subscribed', 'demo-texts': 'unsubscribed' },
    ]);
    await page.close();
  });

  it('speaks the language of the person, also where a link is broken', async () => {
    const url = await addressOf(await somebody({ language: 'de' }));
    const page = await visit(url, phone);
    await expectGood(page, 'german');
    expect(await page.title()).toBe('Ihre Einstellungen · demo');
    const answer = await page.goto(`${url}x`);
    expect(answer?.status()).toBe(404);
    await expectGood(page, 'broken');
    await page.close();
  });

  it('is applied once when it is reloaded, sent twice, or sent again after going back', async () => {
    const id = await somebody();
    const page = await visit(await addressOf(id), desk);
    await page.click('#email-0');
    await send(page);
    await page.reload();
    const changes = await historyOf(id);
    await page.goBack();
    expect(await page.$eval('#email-0', (box) => box.matches(':checked'))).toBe(true);
    await send(page);
    expect(await historyOf(id)).toEqual(changes);
    await page.close();
  });
});

const name = (text: string): string => `\${${text}}`;

const custom = `<html lang="en"><body><main><h1>News from us</h1>
<form method="post" action="{{preference_center_submit_url}}">
<p><label>Emails <select name="{% form_field_name :email_global_state %}">
<option value="opted_in">yes</option><option value="unsubscribed" {% if subscribed_state.${name('email_global')} == 'unsubscribed' %}selected{% endif %}>no</option>
</select></label></p>
<input type="hidden" name="{% form_field_name :subscription_group demo-news %}" value="unsubscribed">
<p><label><input type="checkbox" id="news" name="{% form_field_name :subscription_group demo-news %}" value="subscribed" {% if subscribed_state.${name('demo-news')} == 'subscribed' %}checked{% endif %}> News</label></p>
<button>Save</button></form><script>document.title = 'a script ran'</script>{{content_blocks.${name('bye')}}}</main></body></html>`;

describe('a preference center of the workspace', () => {
  it('is opened, changed and confirmed', async () => {
    await system.send('/content_blocks/create', {
      body: { name: 'bye', content: '<p id="bye">Good bye</p>' },
    });
    const { body } = await system.send('/preference_center/v1', {
      body: {
        name: 'own',
        preference_center_title: 'Our news',
        preference_center_page_html: custom,
        confirmation_page_html: `<main><h1>Done</h1><p>{{subscribed_state.${name('demo-news')}}}, {{subscribed_state.${name('email_global')}}}</p></main>`,
      },
    });
    const center = String(body.preference_center_api_id);
    for (const [place, size] of [
      ['phone', phone],
      ['desk', desk],
    ] as const) {
      const id = await somebody();
      const page = await visit(await addressOf(id, center), size);
      await expectGood(page, `custom-${place}`);
      expect([await page.title(), await page.$eval('#bye', (one) => one.textContent)]).toEqual([
        'Our news',
        'Good bye',
      ]);
      await page.click('#news');
      await page.select('select', 'unsubscribed');
      expect(await send(page)).toContain('subscribed, unsubscribed');
      await expectGood(page, `custom-saved-${place}`);
      expect(await statesOf(id)).toEqual(['unsubscribed', { 'demo-news': 'subscribed' }]);
      expect((await historyOf(id)).map((one) => one.preference_center_api_id)).toEqual([center, center]);
      await page.close();
    }
  });
});

describe('without a browser', () => {
  const form = async (url: string): Promise<string> => {
    const html = await (await fetch(url)).text();
    return new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '', url).href;
  };
  const post = (action: string, body: string) =>
    fetch(action, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      redirect: 'manual',
    });

  it('one form that is sent ten times at once is one request', async () => {
    const id = await somebody();
    const action = await form(await addressOf(id));
    const before = await system.store.requests.countDocuments({ op: 'subscription.status.set.v2' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(action, 'group.demo-news=subscribed')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await system.store.requests.countDocuments({ op: 'subscription.status.set.v2' })).toBe(before + 1);
    expect(await historyOf(id)).toHaveLength(1);
    // Another choice with the same form is another will.
    await post(action, 'group.demo-news=unsubscribed');
    expect(await statesOf(id)).toEqual([undefined, { 'demo-news': 'unsubscribed' }]);
  });

  it('the form of a person who was merged meanwhile is about the kept person; of one who was deleted, about nobody', async () => {
    const [away, kept] = [await somebody(), await somebody()];
    const url = await addressOf(away);
    const action = await form(url);
    const merge = { identifier_to_merge: { external_id: away }, identifier_to_keep: { external_id: kept } };
    await system.send('/users/merge', { body: { merge_updates: [merge] }, headers: { prefer: 'wait=10' } });
    expect((await post(action, 'group.demo-news=subscribed')).status).toBe(303);
    expect(await statesOf(kept)).toEqual([undefined, { 'demo-news': 'subscribed' }]);
    expect(await (await fetch(url)).text()).toMatch(/id="email-0"[^>]* checked/);
    await system.send('/users/delete', { body: { external_ids: [kept] }, headers: { prefer: 'wait=10' } });
    expect([(await fetch(url)).status, (await post(action, 'group.demo-news=unsubscribed')).status]).toEqual([
      404, 404,
    ]);
  });
});
