/** Who sees which stored messages, and what a message may do in the browser of its reader. */
import { completeSettings } from '@roster/access';
import type { Running } from '@roster/runtime';
import type { Store } from '@roster/store';
import { aDelivery, aSend, noCounts, useServers } from '@roster/testkit';
import { addCompany, addUser, admin, cookieOf, signIn } from '../sign-in/testbed.ts';
import { beginMonitor } from '../testbed.ts';
import { most } from './read.ts';

const html =
  '<p style="color:red">Hi & welcome</p><script>alert(1)</script><img src="https://spy.test/p.gif">';

const send = async (store: Store, ws: string, dispatch: string, minute: number, texts: object[]) => {
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
  let open: Running;
  let shut: Running;
  let cookie = '';

  const servers = useServers(async ({ store }) => {
    for (const id of ['blog', 'shop']) await store.workspaces.put(completeSettings({ id }));
    await addCompany(store);
    await addUser(store, 'a@x.test', { permissions: admin });
    const mail = { to: 'ada@example.org', subject: 'Hello <Ada>', plaintext_body: 'Hi\nAda', body: html };
    await send(store, 'shop', 'd-shop', 1, [{ ...mail, headers: { 'X-Kind': 'welcome' } }]);
    await send(store, 'blog', 'd-blog', 1, [{ ...mail, subject: 'Of the blog' }]);
    ({ running: open } = await beginMonitor(servers, 'never'));
    const closed = await beginMonitor(servers, 'always');
    shut = closed.running;
    cookie = cookieOf(await signIn(closed.base, 'a@x.test'));
    return async () => {
      await Promise.all([open.stop(), shut.stop()]);
    };
  });

  const get = async (path: string, headers: Record<string, string> = {}, { port } = open) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
    return {
      status: answer.status,
      policy: answer.headers.get('content-security-policy'),
      text: await answer.text(),
    };
  };
  const message = '/outbox/message?id=d-shop/email/p000';

  it('lists stored messages of a workspace, and leads to each', async () => {
    const { text } = await get('/outbox?workspace=shop');
    expect(text).toContain('to ada@example.org');
    expect(text).toContain('</time>: 2 sent; 1 skipped; 1 stored, not sent</p>');
    expect(text).toContain('UTC</time>, stored, not sent</p>');
    expect(text).toMatch(/<a href="\/outbox\/message\?id=d-shop%2Femail%2Fp000">Hello &lt;Ada&gt;<\/a>/);
    expect(text).not.toContain('Of the blog');
    expect(text).toContain('<a href="/outbox?workspace=blog">blog</a>');
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

  it('shows subject, headers, plain text and the HTML of an email, which stays inside of its frame', async () => {
    const { text, policy } = await get(message);
    for (const part of [
      'Hello &lt;Ada&gt;',
      'X-Kind',
      'Hi\nAda',
      '<iframe sandbox src="/outbox/html?id=d-shop',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/<script|<img/);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+; frame-src 'self';/);
  });

  it('lets the HTML of an email run nothing and ask other servers for nothing', async () => {
    const { text, policy } = await get('/outbox/html?id=d-shop/email/p000');
    expect(text).toBe(html);
    expect(policy).toMatch(/^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/);
    expect(policy).not.toMatch(/https|allow|script/);
  });

  it('shows ten deliveries a page, five recipients of each, and leads to the others', async () => {
    const texts = Array.from({ length: most.recipients + 1 }, (_, i) => ({
      to: `u${i}@x.test`,
      subject: `No ${i}`,
    }));
    for (let minute = 2; minute < 2 + most.deliveries; minute++)
      await send(servers.store, 'blog', `many-${minute}`, minute, minute === 11 ? texts : texts.slice(0, 1));
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

  it.each([{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }])(
    'is shown without sign-in on the same machine only, not through a proxy (%j)',
    async (headers) => {
      for (const path of ['/outbox', message, '/outbox/html?id=d-shop/email/p000'])
        expect([path, (await get(path, headers)).status]).toEqual([path, 403]);
    },
  );

  it('shows a user who signed in the workspaces of their company and no others', async () => {
    const asked = (path: string) => get(path, { cookie }, shut);
    expect((await get('/outbox', {}, shut)).status).not.toBe(200);
    expect((await asked('/outbox')).text).toContain('ada@example.org');
    expect((await asked(message)).status).toBe(200);
    for (const path of ['/outbox?workspace=blog', '/outbox/message?id=d-blog/email/p000'])
      expect([path, (await asked(path)).status]).toEqual([path, 404]);
    for (const path of ['/outbox/html?id=d-blog/email/p000', '/outbox/delivery?id=d-blog/email'])
      expect([path, (await asked(path)).status]).toEqual([path, 404]);
    expect((await asked('/')).text).not.toContain('<dt>People</dt>');
  });

  it.each(['/outbox/message?id=none', '/outbox/delivery?id=none', '/outbox/html', '/outbox?workspace=none'])(
    'knows nothing of %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
