/** Preference centers from the interface to the history of consent: people open, choose and send in a real browser, and by bare requests. */
import { createHmac } from 'node:crypto';
import { testSecret as secret } from '@roster/testkit';
import type { Browser, Page } from 'puppeteer-core';
import request, { type Response } from 'supertest';
import { useWorkspace } from '../shared.ts';
import { waiting } from '../system.ts';
import { desk, expectGood, openBrowser, phone } from './browser.ts';

const system = useWorkspace('preference-centers');
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

let count = 0;

/** A person with an email and a phone. */
const createPerson = async (more: object = {}): Promise<string> => {
  const id = `person-${++count}`;
  const contact = { email: `${id}@example.com`, phone: `+1500555${String(1000 + count)}` };
  await system.track({ attributes: [{ external_id: id, ...contact, ...more }] });
  return id;
};

const subscribedTo = (...groups: string[]) => ({
  subscription_groups: groups.map((id) => ({
    subscription_group_id: id,
    subscription_state: 'subscribed',
  })),
});

const addressOf = async (id: string, center = 'default'): Promise<string> => {
  const path = `/preference_center/v1/${center}/url/${encodeURIComponent(id)}`;
  const { body } = await system.insist((caller) => caller.get(path));
  return String(body.preference_center_url);
};

const statesOf = async (id: string): Promise<[email: unknown, groups: Record<string, unknown>]> => {
  const exported = await system.exported(id, ['email_subscribe', 'subscription_groups']);
  const groups = (exported?.subscription_groups ?? []) as { id: string; state: unknown }[];
  return [exported?.email_subscribe, Object.fromEntries(groups.map((one) => [one.id, one.state]))];
};

const historyOf = async (id: string): Promise<Record<string, unknown>[]> => {
  const { body } = await system.insist((caller) => caller.get(`/subscription/history?external_id=${id}`));
  return body.changes as Record<string, unknown>[];
};

/** The link with other parts at these places, signed as Roster does it. */
const signedAnew = (url: string, changes: Readonly<Record<number, unknown>>): string => {
  const [payload = ''] = new URL(url).pathname.split('/').at(-1)?.split('.') ?? [];
  const parts = Object.assign(JSON.parse(Buffer.from(payload, 'base64url').toString()), changes);
  const changed = Buffer.from(JSON.stringify(parts)).toString('base64url');
  const signature = createHmac('sha256', secret).update(`roster page link 1\n${changed}`).digest('base64url');
  return url.replace(/[^/]+$/, `${changed}.${signature}`);
};

/** For a mail program: from a group, or from all emails. */
const unsubscribing = (url: string, group = ''): string =>
  signedAnew(url, { 0: 'unsubscribe', 4: group }).replace('/preferences/', '/unsubscribe/');

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

const send = async (page: Page): Promise<string> => {
  await Promise.all([page.waitForNavigation(), page.click('button')]);
  return page.$eval('body', (body) => body.textContent ?? '');
};

const screens = [
  ['phone', phone, 'light'],
  ['phone', phone, 'dark'],
  ['desk', desk, 'light'],
  ['desk', desk, 'dark'],
] as const;

describe('the default preference center', () => {
  it.each(screens)('on a %s %o, %s: two groups are changed', async (place, size, scheme) => {
    const id = await createPerson(subscribedTo('demo-news'));
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
    const outcome = await system.insist((caller) => caller.get(`/requests/${first?.request_id}`));
    expect(outcome.body).toMatchObject({
      state: 'applied',
      entries: { service_ids: Array(2).fill({ result: 'updated' }) },
    });
    await page.close();
  });

  it('unsubscribes from everything by keyboard alone, and takes it back', async () => {
    const id = await createPerson({ email_subscribe: 'opted_in', ...subscribedTo('demo-news') });
    const page = await visit(await addressOf(id), desk);
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab'] as const) await page.keyboard.press(key);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(await statesOf(id)).toEqual([
      'unsubscribed',
      { 'demo-news': 'unsubscribed', 'demo-texts': 'unsubscribed' },
    ]);
    await expectGood(page, 'everything-saved');
    await Promise.all([page.waitForNavigation(), page.click('a.button')]);
    await expectGood(page, 'everything');
    await page.click('#emails');
    await page.focus('#email-0');
    await page.keyboard.press('Space');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(await statesOf(id)).toEqual([
      'subscribed',
      { 'demo-news': 'subscribed', 'demo-texts': 'unsubscribed' },
    ]);
    await page.close();
  });

  it.each([
    [undefined, ['demo-news']],
    ['opted_in', []],
    ['subscribed', ['demo-texts']],
    ['unsubscribed', ['demo-news', 'demo-texts']],
  ])('changes nothing for a person with emails %p, in %p, until a box is used', async (emails, groups) => {
    const id = await createPerson({ ...(emails && { email_subscribe: emails }), ...subscribedTo(...groups) });
    const url = await addressOf(id);
    const before = [await statesOf(id), await historyOf(id)];
    const page = await visit(url, phone);
    await expectGood(page, `untouched-${emails}`);
    expect(await send(page)).toContain('Your choices are saved');
    expect([await statesOf(id), await historyOf(id)]).toEqual(before);
    await page.goto(url);
    await page.click('#emails');
    await send(page);
    const [now] = await statesOf(id);
    expect(now).toBe(emails === 'unsubscribed' ? 'subscribed' : 'unsubscribed');
    expect((await statesOf(id))[1]).toEqual(Object.fromEntries(groups.map((group) => [group, 'subscribed'])));
    await page.close();
  });

  it('keeps all emails off while text messages are chosen', async () => {
    const id = await createPerson({ email_subscribe: 'unsubscribed' });
    const page = await visit(await addressOf(id), phone);
    await page.click('#text-0');
    expect(await send(page)).toMatch(/You will receive\s*Texts\s*You will not receive\s*Emails from us/);
    expect(await statesOf(id)).toEqual(['unsubscribed', { 'demo-texts': 'subscribed' }]);
    await page.close();
  });

  it('keeps a choice after one click, and says that it is not sent until emails are on again', async () => {
    const id = `person-${++count}`;
    await system.track({
      attributes: [{ external_id: id, email: `${id}@example.com`, email_subscribe: 'opted_in' }],
    });
    const url = await addressOf(id);
    await request(unsubscribing(url)).post('').type('form').send('List-Unsubscribe=One-Click').expect(200);
    const page = await visit(url, phone);
    const text = () => page.$eval('body', (body) => body.textContent ?? '');
    expect(await text()).toContain('To receive emails again, switch on “Emails from us”.');
    await expectGood(page, 'one-click-phone');
    await page.click('#email-0');
    expect(await send(page)).toMatch(/Chosen, but not sent while “Emails from us” is off\s*News/);
    await expectGood(page, 'one-click-saved-phone');
    expect(await statesOf(id)).toEqual(['unsubscribed', { 'demo-news': 'subscribed' }]);
    await Promise.all([page.waitForNavigation(), page.click('a.button')]);
    await page.click('#emails');
    expect(await send(page)).toMatch(/You will receive\s*Emails from us\s*News/);
    await expectGood(page, 'one-click-again-phone');
    expect(await statesOf(id)).toEqual(['subscribed', { 'demo-news': 'subscribed' }]);
    await page.goto(url);
    await Promise.all([page.waitForNavigation(), page.click('#everything')]);
    expect(await statesOf(id)).toEqual(['unsubscribed', { 'demo-news': 'unsubscribed' }]);
    await page.close();
  });

  it('speaks the language of the person, also where a link is broken', async () => {
    const url = await addressOf(await createPerson({ language: 'de' }));
    const page = await visit(url, phone);
    await expectGood(page, 'german');
    expect(await page.title()).toBe(`Ihre Einstellungen · ${system.ws}`);
    const answer = await page.goto(`${url}x`);
    expect(answer?.status()).toBe(404);
    await expectGood(page, 'broken');
    expect((await page.goto(signedAnew(url, { 5: 1_700_000_000 })))?.status()).toBe(410);
    await expectGood(page, 'expired');
    await page.close();
  });

  it('is applied once when it is reloaded, sent twice, or sent again after going back', async () => {
    const id = await createPerson();
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

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${value}">`;

/** The two ways of a page to tell a box that is off. */
const fieldOf = (id: string): string => `{% form_field_name :subscription_group ${id} %}`;
const otherwise = (id: string): string => hidden(fieldOf(id), 'unsubscribed');
const shown = (id: string): string => hidden(`shown.${fieldOf(id)}`, `{{subscribed_state.${name(id)}}}`);

const group = (id: string, label: string, off: string): string => `
${off}
<p><label><input type="checkbox" id="${id}" name="{% form_field_name :subscription_group ${id} %}" value="subscribed" {% if subscribed_state.${name(id)} == 'subscribed' %}checked{% endif %}> ${label}</label></p>`;

const customStyle = `
:root{color-scheme:light dark}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:#fbf7f0;color:#2b2118}
main{max-width:32rem;margin:0 auto;padding:2rem 1rem}
button{padding:.75rem 1.5rem;border:0;border-radius:.5rem;background:#8a3b12;color:#fff;font:inherit}
@media (prefers-color-scheme:dark){body{background:#1d1713;color:#f3e9de}button{background:#f2a66b;color:#1d1713}}`;

const custom = `<html lang="en"><head><style>${customStyle}</style></head><body><main><h1>News from us</h1>
<form method="post" action="{{preference_center_submit_url}}">
<p><label>Emails <select name="{% form_field_name :email_global_state %}">
<option value="opted_in">yes</option><option value="unsubscribed" {% if subscribed_state.${name('email_global')} == 'unsubscribed' %}selected{% endif %}>no</option>
</select></label></p>${group('demo-news', 'News', shown('demo-news'))}${group('demo-texts', 'Texts', otherwise('demo-texts'))}
<button>Save</button></form><script>document.title = 'a script ran'</script>{{content_blocks.${name('bye')}}}</main></body></html>`;

const customSaved = `<html lang="en"><head><style>${customStyle}</style></head><body><main><h1>Done</h1>
<p>{{subscribed_state.${name('demo-news')}}}, {{subscribed_state.${name('demo-texts')}}}, {{subscribed_state.${name('email_global')}}}</p></main></body></html>`;

describe('a preference center of the workspace', () => {
  let center: string;
  beforeAll(async () => {
    const block = { name: 'bye', content: '<p id="bye">Good bye</p>' };
    await system.insist((caller) => caller.post('/content_blocks/create').send(block));
    const own = {
      name: 'own',
      preference_center_title: 'Our news',
      preference_center_page_html: custom,
      confirmation_page_html: customSaved,
      options: {
        'meta-viewport-content': 'width=device-width, initial-scale=1, minimum-scale=1',
        'links-tags': [{ rel: 'icon', type: 'image/png', href: 'https://example.com/icon.png' }],
      },
    };
    const { body } = await system.insist((caller) => caller.post('/preference_center/v1').send(own));
    center = String(body.preference_center_api_id);
  });

  it.each(screens)(
    'on a %s %o, %s: two groups and all emails are changed and confirmed',
    async (place, size, scheme) => {
      const id = await createPerson(subscribedTo('demo-texts'));
      const page = await visit(await addressOf(id, center), size, scheme);
      await expectGood(page, `custom-${place}-${scheme}`);
      expect([await page.title(), await page.$eval('#bye', (one) => one.textContent)]).toEqual([
        'Our news',
        'Good bye',
      ]);
      expect(await page.$eval('head', (head) => head.innerHTML)).toContain(
        'href="https://example.com/icon.png"',
      );
      expect(await page.$eval('meta[name=viewport]', (tag) => tag.getAttribute('content'))).toContain(
        'minimum-scale=1',
      );
      await page.click('#demo-news');
      await page.click('#demo-texts');
      await page.select('select', 'unsubscribed');
      expect(await send(page)).toContain('subscribed, unsubscribed, unsubscribed');
      await expectGood(page, `custom-saved-${place}-${scheme}`);
      const states = { 'demo-news': 'subscribed', 'demo-texts': 'unsubscribed' };
      expect(await statesOf(id)).toEqual(['unsubscribed', states]);
      const [first, ...others] = (await historyOf(id)).slice(0, 3);
      expect(first).toMatchObject({
        operation: 'preference_center.submit',
        preference_center_api_id: center,
      });
      for (const change of others)
        expect(change).toMatchObject({ preference_center_api_id: center, request_id: first?.request_id });
      await page.close();
    },
  );
});

describe('the operations', () => {
  const pages = { preference_center_page_html: '<p>Page</p>', confirmation_page_html: '<p>Saved</p>' };
  const limitOf = ({ headers }: Response): string | undefined => headers['x-ratelimit-limit'];

  it('have the limits of the interface, and PUT and POST of an update share one', async () => {
    const limits = { name: 'limits', ...pages };
    const created = await system.insist((caller) => caller.post('/preference_center/v1').send(limits));
    expect([created.status, limitOf(created)]).toEqual([201, '10']);
    const path = `/preference_center/v1/${created.body.preference_center_api_id}`;
    for (const read of ['/preference_center/v1/list', path, `${path}/url/nobody`])
      expect(limitOf(await system.insist((caller) => caller.get(read)))).toBe('1000');
    const statuses: number[] = [];
    // A minute of the clock may end meanwhile: then there are eleven more.
    for (let n = 0; n < 22 && statuses.at(-1) !== 429; n++) {
      const method = n % 2 === 0 ? 'put' : 'post';
      const answer = await system.insist((caller) => caller[method](path).send(pages));
      expect(limitOf(answer)).toBe('10');
      statuses.push(answer.status);
    }
    expect([statuses[0], statuses[1], statuses.at(-1)]).toEqual([200, 201, 429]);
    expect(statuses.length).toBeGreaterThan(10);
  });

  it('take the names of the path as query parameters too, as clients send them', async () => {
    const id = await createPerson();
    const query = `preference_center_api_id=default&external_id=${id}`;
    const path = `/preference_center/v1/default/url/${id}?${query}`;
    expect((await system.insist((caller) => caller.get(path))).status).toBe(200);
  });
});

describe('without a browser', () => {
  const form = async (url: string): Promise<string> => {
    const { text } = await request(url).get('').expect(200);
    return new URL(/action="([^"]+)"/.exec(text)?.[1] ?? '', url).href;
  };
  const post = (action: string, body: string) => request(action).post('').type('form').send(body);

  it('one form that is sent ten times at once is one request', async () => {
    const id = await createPerson();
    const action = await form(await addressOf(id));
    const before = await system.store.requests.countDocuments({ op: 'subscription.status.set.v2' });
    await Promise.all(
      Array.from({ length: 10 }, () => post(action, 'group.demo-news=subscribed').expect(303)),
    );
    expect(await system.store.requests.countDocuments({ op: 'subscription.status.set.v2' })).toBe(before + 1);
    expect(await historyOf(id)).toHaveLength(1);
    // Another choice with the same form is another will.
    await post(action, 'group.demo-news=unsubscribed');
    expect(await statesOf(id)).toEqual([undefined, { 'demo-news': 'unsubscribed' }]);
  });

  it('the form of a person who was merged meanwhile is about the kept person; of one who was deleted, about nobody', async () => {
    const [away, kept] = [await createPerson(), await createPerson()];
    const url = await addressOf(away);
    const action = await form(url);
    const merge = { identifier_to_merge: { external_id: away }, identifier_to_keep: { external_id: kept } };
    await system.insist((caller) =>
      caller
        .post('/users/merge')
        .send({ merge_updates: [merge] })
        .set(waiting),
    );
    await post(action, 'group.demo-news=subscribed').expect(303);
    expect(await statesOf(kept)).toEqual([undefined, { 'demo-news': 'subscribed' }]);
    await request(url)
      .get('')
      .expect(200, /id="email-0"[^>]* checked/);
    await system.insist((caller) =>
      caller
        .post('/users/delete')
        .send({ external_ids: [kept] })
        .set(waiting),
    );
    await request(url).get('').expect(404);
    await post(action, 'group.demo-news=unsubscribed').expect(404);
  });

  it('one click unsubscribes from a group, or from all emails; opening the address changes nothing (RFC 8058)', async () => {
    const news = { 'demo-news': 'subscribed' };
    const id = await createPerson({
      email_subscribe: 'opted_in',
      ...subscribedTo('demo-news'),
    });
    const url = await addressOf(id);
    const click = (address: string) => post(address, 'List-Unsubscribe=One-Click');
    await request(unsubscribing(url, 'demo-news')).get('').redirects(1).expect(200);
    expect(await statesOf(id)).toEqual(['opted_in', news]);
    await click(unsubscribing(url, 'demo-news')).expect(200);
    expect(await statesOf(id)).toEqual(['opted_in', { 'demo-news': 'unsubscribed' }]);
    await click(unsubscribing(url)).expect(200);
    expect(await statesOf(id)).toEqual(['unsubscribed', { 'demo-news': 'unsubscribed' }]);
    for (const change of (await historyOf(id)).slice(0, 2))
      expect(change).toMatchObject({
        operation: 'preference_center.unsubscribe',
        preference_center_api_id: 'default',
      });
    const foreign = unsubscribing(await addressOf(await createPerson())).replace(/.$/, '~');
    await click(foreign).expect(404);
  });
});
