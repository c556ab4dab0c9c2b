/** Who sees which stored messages, and what a message may do in the browser of its reader. */
import { completeSettings } from '@roster/access';
import { newProfile } from '@roster/profile';
import { escapeHtml } from '@roster/runtime';
import type { Store } from '@roster/store';
import { aDelivery, aSend, contextOf, noCounts, useServers } from '@roster/testkit';
import request from 'supertest';
import { addCompany, addUser, admin, signIn } from '../sign-in/testbed.ts';
import { startMonitor } from '../start.ts';
import { beginMonitor, outboxToken } from '../testbed.ts';
import { most } from './read.ts';

const html =
  '<style>p { color: red }</style><p>Hi & welcome</p><script>alert(1)</script><img src="https://spy.test/p.gif">';
const inlined = html.replace(/<style>.*<\/style><p>/, '<p style="color: red;">');

const keep = async (store: Store, ws: string, dispatch: string, minute: number, texts: object[]) => {
  const at = new Date(Date.UTC(2030, 0, 1, 0, minute));
  const counts = { ...noCounts, sent: texts.length + 2, skipped: 1 };
  const of = aDelivery({
    ...{ _id: `${dispatch}/email`, ws, dispatch, channel: 'email', read: true },
    ...{ counts, kept: texts.length, began: at, planned: at },
  });
  await store.messages.deliveries.insertOne(of);
  const rows = texts.map((text, place) =>
    aSend(`p${String(place).padStart(3, '0')}`, of, { at, outbox: JSON.stringify(text) }),
  );
  await store.messages.sends.insertMany(rows);
};

describe('the outbox', () => {
  type Monitor = Awaited<ReturnType<typeof beginMonitor>>;
  let open: Monitor;
  let shut: Monitor;

  const servers = useServers(async ({ store }) => {
    for (const id of ['blog', 'shop']) await store.workspaces.put(completeSettings({ id }));
    await addCompany(store);
    await addUser(store, 'a@x.test', { permissions: admin });
    const mail = {
      ...{ to: 'ada@example.org', from: 'Shop <news@example.com>', reply_to: 'help@example.com' },
      ...{ subject: 'Hello <Ada>', body: html, should_inline_css: true },
    };
    const added_headers = { 'List-Unsubscribe': '<https://example.com/u>' };
    const headers = { 'X-Kind': 'welcome' };
    await keep(store, 'shop', 'd-shop', 1, [
      { ...mail, headers, added_headers },
      { ...mail, from: 'nobody' },
    ]);
    const push = aDelivery({ _id: 'd-push/ios_push', ws: 'shop', dispatch: 'd-push', channel: 'ios_push' });
    await store.messages.deliveries.insertOne(push);
    const outbox = JSON.stringify({ to: ['a1', 'b2'], alert: { title: 'Hi', loc_key: 'x' }, badge: 3 });
    await store.messages.sends.insertOne(aSend('ada', push, { outbox, stored: true }));
    const others = {
      sms: { to: '+15550101', app_id: 'shop', body: 'Grüße <Ada>' },
      whats_app: {
        ...{ to: '+15550101', message_type: 'template' },
        message: {
          ...{ name: 'order_ready', language: { code: 'en' } },
          components: [{ type: 'body', parameters: [{ type: 'text', text: '<Ada>' }] }],
        },
      },
      webhook: {
        ...{ url: 'https://hook.test/?token=t0', request_method: 'PUT', body: '{"a":"<b>"}' },
        request_headers: { Authorization: 'Bearer t1', 'X-Own': 'yes' },
      },
    };
    for (const [channel, sent] of Object.entries(others)) {
      const _id = `d-${channel}/${channel}`;
      const of = aDelivery({ _id, ws: 'shop', dispatch: `d-${channel}`, channel: channel as 'sms' });
      await store.messages.deliveries.insertOne(of);
      const outbox = JSON.stringify(sent);
      await store.messages.sends.insertOne(aSend('ada', of, { outbox, stored: true }));
    }
    await keep(store, 'blog', 'd-blog', 1, [{ ...mail, subject: 'Of the blog' }]);
    open = await beginMonitor(servers, 'never');
    shut = await beginMonitor(servers, 'always');
    return async () => {
      await Promise.all([open.running.stop(), shut.running.stop()]);
    };
  });

  const get = (path: string) => request(open.base).get(path).set('cookie', `roster_outbox=${outboxToken}`);
  const message = '/outbox/message?id=d-shop/email/p000';

  it('lists stored messages of a workspace, and leads to each', async () => {
    const { text } = await get('/outbox?workspace=shop').expect(200);
    expect(text).toContain('to ada@example.org');
    expect(text).toContain('</time>: 2 sent; 1 skipped; 2 stored</p>');
    expect(text).toContain('UTC</time>, stored</p>');
    expect(text).toMatch(/<a href="\/outbox\/message\?id=d-shop%2Femail%2Fp000">Hello &lt;Ada&gt;<\/a>/);
    expect(text).not.toContain('Of the blog');
    expect(text).toContain('<a href="/outbox?workspace=blog">blog</a>');
  });

  it('names people as the interface does, and tells why somebody waits', async () => {
    const { messages, profiles } = servers.store;
    const of = aDelivery({ _id: 'd-wait/email', ws: 'blog', dispatch: 'd-wait', channel: 'email' });
    const due = new Date('2036-01-01T00:00:00Z');
    await messages.deliveries.insertOne(of);
    await profiles.insertOne({ ...newProfile('p-wait', 'blog', 1), external_id: 'noemail' });
    const waits = { state: 'waiting', reason: 'quiet_hours', due, tries: 0 } as const;
    await messages.sends.insertOne(aSend('p-wait', of, waits));
    const shown = (await get('/outbox/delivery?id=d-wait/email').expect(200)).text;
    expect(shown).toMatch(/person noemail<[\s\S]*, waiting: quiet hours until 2036-01-01T00:00:00.000Z</);
    const one = (await get('/outbox/message?id=d-wait/email/p-wait').expect(200)).text;
    expect(one).toContain('<dt>person</dt><dd>noemail</dd>');
    expect(one).toContain('<dd>waiting: quiet hours until 2036-');
    await messages.deliveries.deleteOne({ _id: of._id });
  });

  it('shows what a provider said to operators, and to no user of the dashboard', async () => {
    const { messages } = servers.store;
    const of = aDelivery({ _id: 'd-no/email', ws: 'shop', dispatch: 'd-no', channel: 'email' });
    await messages.deliveries.insertOne(of);
    const reason = 'provider_refused (554)';
    await messages.sends.insertOne(aSend('p-no', of, { state: 'refused', reason, words: 'peer says <no>' }));
    const pages = ['/outbox/delivery?id=d-no/email', '/outbox/message?id=d-no/email/p-no'];
    for (const path of pages)
      expect((await get(path).expect(200)).text).toContain(`refused: ${reason}: peer says &lt;no&gt;`);
    const agent = request.agent(shut.base);
    await signIn(agent, 'a@x.test').expect(303);
    for (const path of [...pages, '/outbox?workspace=shop']) {
      const { text } = await agent.get(path).expect(200);
      expect(text).toContain(`refused: ${reason}`);
      expect(text).not.toContain('peer says');
    }
    await messages.deliveries.deleteOne({ _id: of._id });
    await messages.sends.deleteOne({ delivery: of._id });
  });

  it('says that a delivery that is over had no recipients', async () => {
    const _id = 'd-none/email';
    const found = await servers.store.messages.deliveries.findOne({ _id: 'd-shop/email' });
    if (!found) throw new Error('there is no delivery');
    const none = { ...found, _id, ws: 'blog', dispatch: 'd-none', counts: noCounts, kept: 0 };
    await servers.store.messages.deliveries.insertOne(none);
    const shown = async () => (await get(`/outbox/delivery?id=${_id}`)).text;
    expect(await shown()).toContain('nobody yet');
    await servers.store.messages.deliveries.updateOne({ _id }, { $set: { ended: new Date() } });
    expect(await shown()).toContain('no recipients');
    await servers.store.messages.deliveries.deleteOne({ _id });
  });

  it('shows headers, plain text and HTML of an email as they leave; the HTML stays inside of its frame', async () => {
    const { text } = await get(message).expect(
      'content-security-policy',
      /^default-src 'none'; style-src 'sha256-[^;]+; frame-src 'self';/,
    );
    for (const part of [
      'Hello &lt;Ada&gt;',
      'From: Shop &lt;news@example.com&gt;',
      'Reply-To: help@example.com',
      'List-Unsubscribe: &lt;https://example.com/u&gt;',
      'X-Kind: welcome',
      'Message-ID: &lt;d-shop.email.p000@example.com&gt;',
      '<pre>Hi &amp; welcome',
      escapeHtml(inlined),
      '<iframe sandbox src="/outbox/html?id=d-shop',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/<script|<img/);
  });

  it('lets the HTML of an email run nothing and ask other servers for nothing', async () => {
    const { headers } = await get('/outbox/html?id=d-shop/email/p000').expect(200, inlined);
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(/^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/);
    expect(policy).not.toMatch(/https|allow|script/);
  });

  it('says why an email would be refused', async () => {
    const { text } = await get('/outbox/message?id=d-shop/email/p001').expect(200);
    expect(text).toContain('It would be refused: from must be');
    await get('/outbox/html?id=d-shop/email/p001').expect(404);
  });

  it('shows the headers and the payload of a push as they leave', async () => {
    const { text } = await get('/outbox/message?id=d-push/ios_push/ada').expect(200);
    expect(text).toContain('&quot;apns-push-type&quot;: &quot;alert&quot;');
    expect(text).toContain('&quot;loc-key&quot;: &quot;x&quot;');
  });

  it.each([
    [
      'sms',
      [
        'GSM-7',
        '<dt>segments</dt><dd>1</dd>',
        '<pre>Grüße &lt;Ada&gt;</pre>',
        '<pre>POST https://api.twilio.com/',
      ],
    ],
    [
      'whats_app',
      ['<dt>template</dt><dd>order_ready</dd>', '<dt>body: 1</dt><dd>&lt;Ada&gt;</dd>', 'facebook'],
    ],
    [
      'webhook',
      ['<pre>PUT https://hook.test/?token=***', 'x-own', '<pre>{&quot;a&quot;:&quot;&lt;b&gt;&quot;}'],
    ],
  ])('shows the request of a message by %s, without credentials', async (channel, parts) => {
    const { text } = await get(`/outbox/message?id=d-${channel}/${channel}/ada`).expect(200);
    for (const part of parts) expect(text).toContain(part);
    expect(text).not.toMatch(/t0|t1|<Ada>|<b>/);
  });

  it('shows ten deliveries a page, five recipients of each, and leads to the others', async () => {
    const texts = Array.from({ length: most.recipients + 1 }, (_, i) => ({
      to: `u${i}@x.test`,
      subject: `No ${i}`,
    }));
    for (let minute = 2; minute < 2 + most.deliveries; minute++)
      await keep(servers.store, 'blog', `many-${minute}`, minute, minute === 11 ? texts : texts.slice(0, 1));
    const first = (await get('/outbox?workspace=blog')).text;
    expect(first.match(/<h2>email<\/h2>/g)).toHaveLength(most.deliveries);
    expect(first.match(/No \d+</g)).toHaveLength(most.deliveries - 1 + most.shownOfEach);
    expect(first).not.toContain('Of the blog');
    const [, older = ''] = /href="([^"]+)">Older/.exec(first) ?? [];
    expect((await get(older.replace('&amp;', '&'))).text).toContain('Of the blog');
    const all = (await get('/outbox/delivery?id=many-11/email')).text;
    expect(all.match(/No \d+</g)).toHaveLength(most.recipients);
    const [, more = ''] = /href="([^"]+)">More/.exec(all) ?? [];
    expect((await get(more.replace('&amp;', '&'))).text.match(/No \d+</g)).toEqual([
      `No ${most.recipients}<`,
    ]);
  });

  describe('without sign-in', () => {
    const other = outboxToken.replaceAll('-', '_');
    it.each(['', '?token=', `?token=${other}`, '?token[]=x'])(
      'is shut without its token (%j)',
      async (query) => {
        const caller = request(open.base);
        for (const path of ['/outbox', '/outbox/message', '/outbox/html', '/outbox/delivery'])
          for (const cookie of ['', `roster_outbox=${other}`, 'roster_outbox='])
            expect([path, (await caller.get(`${path}${query}`).set('cookie', cookie)).status]).toEqual([
              path,
              403,
            ]);
        await caller.get('/outbox').expect(403, /npm start.*OUTBOX_TOKEN/s);
      },
    );

    it('opens by the link, which goes on without the token', async () => {
      const caller = request.agent(open.base);
      const answer = await caller.get(`${message}&token=${outboxToken}`).expect(303);
      expect(answer.headers.location).toBe('/outbox/message?id=d-shop%2Femail%2Fp000');
      expect(answer.headers['set-cookie']?.[0]).toMatch(
        /^roster_outbox=[\w-]{43}; Path=\/outbox; Max-Age=43200; HttpOnly; SameSite=Lax$/,
      );
      await caller.get(message).expect(200);
      await caller.get('/outbox').expect(200);
    });

    it('is shut for everybody where no token is set', async () => {
      const context = await contextOf('monitor', servers, { MONITOR_SIGN_IN: 'never' });
      const tokenless = await startMonitor(context);
      const caller = request(`http://127.0.0.1:${tokenless.port}`);
      for (const query of ['', '?token=', `?token=${outboxToken}`])
        expect((await caller.get(`/outbox${query}`)).status).toBe(403);
      await tokenless.stop();
    });
  });

  it('does not know the token of the outbox where people sign in', async () => {
    const caller = request(shut.base);
    await caller.get(`/outbox?token=${outboxToken}`).expect(302);
    await caller.get('/outbox').set('cookie', `roster_outbox=${outboxToken}`).expect(302);
  });

  it('shows a user who signed in the workspaces of their company and no others', async () => {
    const user = request.agent(shut.base);
    await user.get('/outbox').expect(302).expect('location', '/sign-in?next=%2Foutbox');
    await signIn(user, 'a@x.test').expect(303);
    await user.get('/outbox').expect(200, /ada@example\.org/);
    await user.get(message).expect(200);
    for (const path of ['/outbox?workspace=blog', '/outbox/message?id=d-blog/email/p000'])
      expect([path, (await user.get(path)).status]).toEqual([path, 404]);
    for (const path of ['/outbox/html?id=d-blog/email/p000', '/outbox/delivery?id=d-blog/email'])
      expect([path, (await user.get(path)).status]).toEqual([path, 404]);
    expect((await user.get('/').expect(200)).text).not.toContain('<dt>People</dt>');
  });

  it.each(['/outbox/message?id=none', '/outbox/delivery?id=none', '/outbox/html', '/outbox?workspace=none'])(
    'knows nothing of %s',
    async (path) => {
      await get(path).expect(404);
    },
  );
});
