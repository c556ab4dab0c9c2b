/**
 * The page server as strangers see it, with people from the real database; what they choose is written down instead of queued. One body is
 * sent in pieces by node:http: supertest sends a body whole, with its length.
 */
import { request as httpRequest } from 'node:http';
import { openLiquid } from '@roster/liquid';
import { emailKey, newProfile, type Profile, withSaid } from '@roster/profile';
import { aContentBlock, useStore } from '@roster/testkit';
import request, { type Response } from 'supertest';
import { createFindCenter } from '../centers/find-center.ts';
import { createFormTokens, formSeconds } from '../links/form-token.ts';
import { createLinks, type Link, type ReadLink } from '../links/link.ts';
import { createPageUrls, type PageUrls } from '../links/page-urls.ts';
import { aCenter } from '../testbed.ts';
import { createMinuteLimit, createPlaces } from './bounds.ts';
import { createPages } from './pages.ts';
import { createPreferences } from './preferences.ts';
import type { PageServer } from './server.ts';
import type { Submit, Submitted } from './submission.ts';
import { startTestServer } from './testbed.ts';

const secret = 'a secret for tests only';
let clock = Date.now();
const now = (): number => clock;
const store = useStore();
const links = createLinks(secret, now);
const tokens = createFormTokens(secret, now);
const liquid = openLiquid();
const rendering = createPlaces({ most: 8, ofOne: 1 });
let busy = 0;

const faults: string[] = [];
let said: Submitted[] = [];
let submit: Submit = async () => 'applied';

const pagesOf = () =>
  createPages({
    links,
    tokens,
    readPreferences: createPreferences(store),
    findCenter: createFindCenter({
      store,
      liquid,
      byCenter: createMinuteLimit({ perMinute: 5, now }),
      rendering,
      onFault: (center) => faults.push(center),
      onBusy: () => {
        busy += 1;
      },
    }),
    submit: (submitted) => {
      said.push(submitted);
      return submit(submitted);
    },
    fresh: async () => {},
    byNetwork: createMinuteLimit({ perMinute: 100, now }),
    byLink: createMinuteLimit({ perMinute: 3, now }),
  });

let server: PageServer;
let base: string;
let urls: PageUrls;

beforeAll(async () => {
  server = await startTestServer({ ...pagesOf(), trustedProxies: '127.0.0.1' });
  base = `http://127.0.0.1:${server.port}`;
  urls = createPageUrls({ links, base, days: 60, now });
  await store.workspaces.put({
    id: 'demo',
    name: 'Ada & Co <b>',
    subscription_groups: [
      { id: 'news', name: 'News <i>', description: 'All "news"', channel: 'email' },
      { id: 'offers', name: 'Offers', channel: 'email' },
      { id: 'alerts', name: 'Alerts', channel: 'sms' },
    ],
  });
  await store.profiles.insertMany([
    person('s-ada', {
      email: { v: '"><script>x</script>@example.com', at: 5 },
      language: { v: 'de', at: 5 },
    }),
    person('s-bob', { phone: { v: '+15005550006', at: 5 } }),
  ]);
  const center = aCenter({
    title: 'Own <title>',
    page: `<form method="post" action="{{preference_center_submit_url}}"><b>{{subscribed_state.\${news}}} {{subscribed_state.\${email_global}}} {{content_blocks.\${footer}}}</b><input name="{% form_field_name :subscription_group news %}"><input name="{% form_field_name :email_global_state %}"></form>`,
    confirmation: `<p>Done: {{subscribed_state.\${news}}}</p>`,
    options: { viewport: 'width=600', links: [{ rel: 'icon', href: 'https://e.co/i.png?a&b' }] },
    includes: ['footer'],
  });
  await store.preferenceCenters.insertOne(center);
  await store.content.blocks.insertOne(aContentBlock({ content: '<i>foot</i>' }));
});
afterAll(async () => {
  await server.close();
  await liquid.close();
});
beforeEach(() => {
  said = [];
  submit = async () => 'applied';
  clock += 60_000;
});

const person = (id: string, fields: Profile['fields']): Profile => ({
  ...newProfile(id, 'demo', 5),
  fields,
  ...(typeof fields.email?.v === 'string' && { email_key: emailKey(fields.email.v) }),
  ...(typeof fields.phone?.v === 'string' && { phone_key: fields.phone.v }),
  consents: withSaid([], 'group:news', { v: 'subscribed', at: 6 }),
});

const pageOf = (who: string, center = 'default', ws = 'demo'): string =>
  urls.page({ ws, center, person: who });

const linkIn = (read: ReadLink | undefined): Link | undefined =>
  read?.is === 'good' ? read.link : undefined;

// Links are whole addresses.
const get = (url: string) => request(url).get('');
const post = (url: string, body: string, type = 'form') => request(url).post('').type(type).send(body);

const actionIn = (url: string, html: string): string => {
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  return new URL(action, url).href;
};

const leadsTo = ({ headers }: Response, from: string): string => new URL(headers.location ?? '', from).href;

const htmlOf = async (url: string, language = ''): Promise<string> =>
  (await get(url).set('accept-language', language)).text;

const open = async (url: string): Promise<string> => actionIn(url, await htmlOf(url));

const changeCenter = (change: object, more: object = {}) =>
  store.preferenceCenters.updateOne({ _id: 'c-1' }, { $set: change, ...more });

describe('the default preference center', () => {
  it('shows the states of this person in their language, and everything escaped', async () => {
    const { text: html } = await get(pageOf('s-ada')).set('accept-language', 'fr').expect(200);
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('News &lt;i&gt;');
    expect(html).toContain('All &quot;news&quot;');
    expect(html).toContain('Ada &amp; Co &lt;b&gt;');
    expect(html).toMatch(/id="email-0"[^>]* checked/);
    expect(html).not.toMatch(/id="email-1"[^>]* checked/);
    expect(html).not.toMatch(/<script|Alerts/);
  });

  it('offers text messages to people with a phone, in the language of the browser', async () => {
    const html = await htmlOf(pageOf('s-bob'), 'fr');
    expect(html).toContain('<html lang="fr">');
    expect(html).toContain('Alerts');
  });

  it('hands on what was chosen, once for each form, and leads to the confirmation', async () => {
    const url = pageOf('s-ada');
    const action = await open(url);
    const choice = 'group.news=unsubscribed&group.offers=unsubscribed&group.offers=subscribed';
    const answer = await post(action, choice).expect(303);
    expect(leadsTo(answer, action)).toBe(`${url}/saved`);
    await post(action, 'group.news=unsubscribed');
    expect(said[0]).toEqual({
      ...{ ws: 'demo', center: 'default', person: 's-ada', action: 'preference_center.submit' },
      choice: { groups: new Map(Object.entries({ news: 'unsubscribed', offers: 'subscribed' })) },
      once: action.slice(action.lastIndexOf('/') + 1),
    });
    expect(said[1]?.once).toBe(said[0]?.once);
    expect(await open(url)).not.toBe(action);
    expect(await htmlOf(`${url}/saved`)).toContain('News');
  });

  it('says when a choice is kept but not applied yet, and when it is not kept', async () => {
    const url = pageOf('s-bob');
    const action = await open(url);
    submit = async () => 'queued';
    const queued = await post(action, 'group.news=subscribed');
    expect(await htmlOf(leadsTo(queued, action))).toContain('We have your choices');
    submit = async () => 'away';
    await post(action, 'group.news=subscribed').expect(503, /did not work/);
  });

  it('does nothing for a form without a change, and leads to what is stored', async () => {
    const url = pageOf('s-bob');
    const action = await open(url);
    for (const body of ['x=y', 'shown.group.news=subscribed&group.news=subscribed']) {
      const answer = await post(action, body).expect(303);
      expect(leadsTo(answer, action)).toBe(`${url}/saved`);
    }
    expect(said).toEqual([]);
    expect(leadsTo(await get(action), action)).toBe(url);
  });

  it('changes nothing by a form that shows what has changed since, and says so', async () => {
    const action = await open(pageOf('s-bob'));
    const body = 'shown.group.news=unsubscribed&shown.group.offers=unsubscribed&group.offers=subscribed';
    await post(action, body).expect(410, /is out of date.*Nothing was changed/s);
    expect(said).toEqual([]);
  });
});

describe('a preference center of the workspace', () => {
  it('is rendered with states, blocks and its head', async () => {
    const html = await htmlOf(pageOf('s-bob', 'c-1'));
    expect(html).toContain('<b>subscribed subscribed <i>foot</i></b>');
    expect(html).toContain('name="group.news"');
    expect(html).toContain('name="email_global_state"');
    expect(html).toContain('<title>Own &lt;title&gt;</title>');
    expect(html).toContain('<meta name="viewport" content="width=600">');
    expect(html).toContain('<link rel="icon" href="https://e.co/i.png?a&amp;b">');
    expect(await htmlOf(`${pageOf('s-bob', 'c-1')}/saved`)).toContain('<p>Done: subscribed</p>');
  });

  it('links to the other preference centers of this person, until its own link ends', async () => {
    const [own, everywhere] = [`{{preference_center.\${own}}}`, '{{unsubscribe_url}}'];
    const unsubscribed = `{{\${set_user_to_unsubscribed_url}}}`;
    await store.content.blocks.insertOne(
      aContentBlock({ _id: 'b-links', name: 'links', content: `<a href="${own}">in a block</a>` }),
    );
    const html = `<a href="${own}"></a><a href="${everywhere}"></a><a href="${unsubscribed}"></a>{{content_blocks.\${links}}}`;
    const linking = { _id: 'c-links', name: 'links', page: html, confirmation: html, includes: ['links'] };
    await store.preferenceCenters.insertOne(aCenter(linking));
    const page = pageOf('s-ada', 'c-links');
    clock += 24 * 3600 * 1000;
    for (const url of [page, `${page}/saved`]) {
      const hrefs = (await htmlOf(url)).matchAll(/href="([^"]*)"/g);
      const found = [...hrefs].map(([, href = '']) => new URL(href, url).href);
      expect(found).toEqual([expect.stringContaining(`${base}/preferences/`), found[1], found[1], found[0]]);
      expect(await htmlOf(found[0] ?? '')).toContain('<title>Own');
      expect(await htmlOf(found[1] ?? '')).toContain('***@example.com');
      const [opened, linked] = [page, found[1] ?? ''].map((one) => links.read(one.split('/').at(-1) ?? ''));
      expect(linked).toEqual({ is: 'good', link: { ...linkIn(opened), center: 'default' } });
    }
    await store.preferenceCenters.deleteOne({ _id: 'c-links' });
  });

  it('that is opened too often leaves people the default page, until the next minute', async () => {
    busy = 0;
    const url = pageOf('s-bob', 'c-1');
    const isOwn = async () => (await htmlOf(url)).includes('<title>Own');
    for (let n = 0; n < 5; n++) expect(await isOwn()).toBe(true);
    expect([await isOwn(), busy]).toEqual([false, 1]);
    await post(await open(url), 'group.news=unsubscribed').expect(303);
    clock += 60_000;
    expect(await isOwn()).toBe(true);
  });

  it('leaves people the default page while its workspace has as many pages rendered as it may', async () => {
    const leave = rendering.take('demo');
    const other = rendering.take('other');
    expect(await htmlOf(pageOf('s-bob', 'c-1'))).toContain('Your preferences');
    leave?.();
    expect(await htmlOf(pageOf('s-bob', 'c-1'))).toContain('<title>Own');
    other?.();
  });

  it('that cannot be rendered leaves people the default page', async () => {
    const before = await store.preferenceCenters.findOne({ _id: 'c-1' });
    await changeCenter({ page: '{% for i in (1..100000000) %}{{ i }}{% endfor %}' });
    const url = pageOf('s-bob', 'c-1');
    expect(await htmlOf(url)).toContain('Your preferences');
    expect(faults).toEqual(['c-1']);
    await post(await open(url), 'group.news=unsubscribed').expect(303);
    await changeCenter({ page: before?.page });
  });

  it('runs no script unless it says so, and as a draft it has no pages', async () => {
    const policy = async () => (await get(pageOf('s-bob', 'c-1'))).headers['content-security-policy'];
    expect(await policy()).not.toContain('script-src');
    await changeCenter({ 'options.scripts': true });
    expect(await policy()).toContain("script-src 'unsafe-inline'");
    await changeCenter({ state: 'draft' });
    await get(pageOf('s-bob', 'c-1')).expect(404);
    await changeCenter({ state: 'active' }, { $unset: { 'options.scripts': '' } });
  });
});

/** By which one click unsubscribes Ada. */
const address = (group?: string): string => {
  const headers = urls.unsubscribe({ ws: 'demo', center: 'default', person: 's-ada' }, group);
  return headers['List-Unsubscribe'].slice(1, -1);
};

describe('every answer', () => {
  it('has no cookie, no script, no referrer, no frame, and is in no index', async () => {
    for (const url of [pageOf('s-ada'), pageOf('s-ada', 'c-1'), `${base}/`, `${pageOf('s-ada')}/saved`]) {
      const { headers } = await get(url);
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'(?!.*script-src)/,
        ),
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'x-robots-tag': expect.stringContaining('noindex'),
        'cache-control': 'no-store',
      });
    }
    expect(await htmlOf(`${base}/robots.txt`)).toContain('Disallow: /');
  });
});

describe('a link that is tampered with, expired or foreign changes nothing and is friendly', () => {
  const expectFriendly = async (url: string, status: number) => {
    await get(url)
      .set('accept-language', 'de')
      .expect(status, /Dieser Link/);
    const token = tokens.make(url.slice(url.lastIndexOf('/') + 1));
    await post(`${url}/${token}`, 'group.news=unsubscribed').expect(status);
    expect(said).toEqual([]);
  };

  it('tampered with', async () => {
    const url = pageOf('s-ada');
    await expectFriendly(`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`, 404);
    await expectFriendly(`${base}/preferences/x`, 404);
    await expectFriendly(`${base}/anything`, 404);
  });

  it('of a person who was deleted, another workspace, or a preference center that is not there', async () => {
    await expectFriendly(pageOf('s-nobody'), 404);
    await expectFriendly(pageOf('s-ada', 'default', 'other'), 404);
    await expectFriendly(pageOf('s-ada', 'c-2'), 404);
  });

  it('expired', async () => {
    const url = pageOf('s-ada');
    clock += 60 * 86_400_000;
    await expectFriendly(url, 410);
  });

  it('of an unsubscribe address, used as a page', async () => {
    await expectFriendly(address().replace('/unsubscribe/', '/preferences/'), 404);
  });

  it('with the form of another page, or one that was open for too long', async () => {
    const [ada, bob] = [pageOf('s-ada'), pageOf('s-bob')];
    const token = (await open(bob)).split('/').at(-1);
    await post(`${ada}/${token}`, 'group.news=unsubscribed').expect(404);
    const action = await open(ada);
    clock += formSeconds * 1000;
    await post(action, 'group.news=unsubscribed').expect(410, /nicht mehr aktuell/);
    expect(said).toEqual([]);
  });
});

it('a person who was merged sees the states of the kept person', async () => {
  await store.profiles.insertOne({ ...person('s-kept', {}), absorbed: ['s-gone'] });
  const url = pageOf('s-gone');
  expect(await htmlOf(url)).toMatch(/id="email-0"[^>]* checked/);
  await post(await open(url), 'group.news=unsubscribed');
  expect(said[0]?.person).toBe('s-kept');
});

describe('an unsubscribe address (RFC 8058)', () => {
  it('unsubscribes by one click, from all emails or from a group', async () => {
    const multipart =
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    await post(address(), 'List-Unsubscribe=One-Click').expect(200);
    await post(address('news'), multipart, 'multipart/form-data; boundary=b').expect(200);
    expect(said.map(({ action, choice, once }) => [action, choice.emails, [...choice.groups], once])).toEqual(
      [
        ['preference_center.unsubscribe', 'unsubscribed', [], undefined],
        ['preference_center.unsubscribe', undefined, [['news', 'unsubscribed']], undefined],
      ],
    );
  });

  it('changes nothing when it is opened, and leads to the page', async () => {
    const answer = await get(address()).expect(303);
    await get(leadsTo(answer, address())).expect(200);
    expect(said).toEqual([]);
  });

  it('is counted by itself, and a post without the words of the RFC is refused', async () => {
    await post(address(), 'List-Unsubscribe=Two-Clicks').expect(404);
    const url = address('offers');
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await post(url, 'List-Unsubscribe=One-Click')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    await get(pageOf('s-ada')).expect(200);
  });
});

describe('bounds', () => {
  it('of requests by IP address, as the trusted proxy tells it', async () => {
    const from = (ip: string) => get(`${base}/x`).set('x-forwarded-for', ip);
    for (let n = 0; n < 100; n++) await from('10.0.0.1');
    await from('10.0.0.1')
      .expect(429, /One moment/)
      .expect('retry-after', '60');
    await from('10.0.0.2').expect(404);
  });

  it('of bodies', async () => {
    const action = await open(pageOf('s-ada'));
    const large = await post(action, `x=${'y'.repeat(24 * 1024)}`).catch(() => ({ status: 413 }));
    expect(large.status).toBe(413);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const chunked = new Promise<number>((resolve, reject) => {
      const sent = httpRequest(action, { method: 'POST', headers }, ({ statusCode = 0 }) =>
        resolve(statusCode),
      );
      sent.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve(413) : reject(error),
      );
      for (let n = 0; n < 30; n++) sent.write('y'.repeat(1024));
      sent.end();
    });
    expect(await chunked).toBe(413);
    expect(said).toEqual([]);
  });

  it('of methods and addresses', async () => {
    await request(pageOf('s-ada')).delete('').expect(405);
    await request(pageOf('s-ada')).head('').expect(200);
    await get(`${base}/preferences/${'x'.repeat(8000)}`).expect(404);
  });
});
