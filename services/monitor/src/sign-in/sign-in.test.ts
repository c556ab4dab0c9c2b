/** One test writes to a bare socket: a form that comes slowly is no whole request. */
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { createInvite, hashPassword } from '@roster/access';
import { openPreviews } from '@roster/channels';
import { urlOf, useStore } from '@roster/testkit';
import request from 'supertest';
import { createApp } from '../app.ts';
import type { Board } from '../board.ts';
import type { SignInOptions } from './options.ts';
import { createSignIn } from './sign-in.ts';
import { addCompany, addUser, admin, password, signIn } from './testbed.ts';

describe('the door of the board', () => {
  const store = useStore();
  let http: Server;
  let base: string;
  let now = Date.now();
  /** Thousands of times cheaper than usual; the usual one is in `board.test.ts`. */
  const passwordCost = 16;

  const open = (mode: SignInOptions['mode'], options: Partial<SignInOptions> = {}, trustedProxies = '') => {
    const board: Board = (_viewer, _request, response) => void response.send('the board');
    const openStore = async () => store;
    const door = createSignIn({ mode, openStore, now: () => now, passwordCost, ...options });
    const parts = {
      isRedisThere: () => true,
      openStore,
      previews: openPreviews(),
      trustedProxies,
      outboxToken: '',
      waits: async () => [],
    };
    const app = createApp({ ...parts, board, signIn: door });
    return new Promise<{ server: Server; address: string }>((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => resolve({ server, address: urlOf(server) }));
    });
  };

  const add = async (_id: string, userName: string) => {
    const kept = await hashPassword(password, passwordCost);
    await addUser(store, userName, { _id, permissions: admin, password: kept });
  };

  /** A browser with cookies of its own. */
  const browser = (at = base) => request.agent(at).accept('html');
  const signedIn = async (userName: string) => {
    const user = browser();
    await signIn(user, userName).expect(303);
    return user;
  };
  /** Says that a form comes, and sends the beginning of it; what is answered until the end of the connection. */
  const slowForm = (address: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(address);
      const socket = connect(Number(port), hostname);
      const type = 'Content-Type: application/x-www-form-urlencoded';
      socket.write(`POST /sign-in HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 100\r\n\r\nuser`);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });

  beforeAll(async () => {
    await addCompany(store);
    ({ server: http, address: base } = await open('auto'));
  });
  afterAll(() => http.close());

  it('is open while there is no dashboard user', async () => {
    await browser().get('/board').expect(200);
  });

  it('is served under names of its own only, while it needs no sign-in', async () => {
    await request(base).get('/board/api/queues').set('host', 'evil.example').expect(421);
    await request(base).get('/board/api/queues').set('host', 'localhost:3000').expect(200);
    await browser()
      .get('/')
      .set('host', 'evil.example')
      .expect(421, /<h1>[\s\S]*MONITOR_HOSTS/);
  });

  it('shuts when there is one', async () => {
    await add('u1', 'Ada@acme.test');
    now += 10_000;
    await browser().get('/board').expect(302).expect('location', '/sign-in?next=%2Fboard');
    await request(base).get('/board/api/queues').expect(401, { message: 'Sign in first' });
    await request(base).get('/health/live').expect(200);
    await browser()
      .get('/sign-in')
      .expect(200, /name="password"/);
  });

  it('opens to the right password, in any letter case of the name, and writes the time down', async () => {
    const ada = browser();
    const { headers } = await signIn(ada, 'ada@ACME.test').expect(303).expect('location', '/');
    const cookie = /^roster_session=([\w-]{43}); Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/;
    expect(headers['set-cookie']).toEqual([expect.stringMatching(cookie)]);
    await ada.get('/board').expect(200);
    const kept = await store.dashboard.users.findOne({ _id: 'u1' });
    expect(kept?.signed_in).toEqual(new Date(now));
    const [, token] = cookie.exec(headers['set-cookie']?.[0] ?? '') ?? [];
    expect(JSON.stringify(await store.dashboard.sessions.find().toArray())).not.toContain(token);
  });

  it.each([
    ['a wrong password', 'ada@acme.test', 'wrong'],
    ['an unknown user', 'unknown@acme.test', password],
    ['nothing', '', ''],
  ])('stays shut to %s', async (_who, userName, word) => {
    const { headers } = await signIn(browser(), userName, word).expect(401, /do not sign anybody in/);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('stays shut to made-up and old cookies', async () => {
    const ada = await signedIn('ada@acme.test');
    for (const cookie of [`roster_session=${'A'.repeat(43)}`, 'roster_session='])
      await browser().get('/board').set('cookie', cookie).expect(302);
    await ada.get('/board').expect(200);
    now += 13 * 3_600_000;
    await ada.get('/board').expect(302);
  });

  it('shuts for a user who is deactivated or deleted, from that moment', async () => {
    await add('u2', 'bob@acme.test');
    await add('u3', 'eve@acme.test');
    const both = [await signedIn('bob@acme.test'), await signedIn('eve@acme.test')];
    for (const user of both) await user.get('/board').expect(200);
    await store.dashboard.users.updateOne({ _id: 'u2' }, { $set: { active: false } });
    await store.dashboard.users.deleteOne({ _id: 'u3' });
    for (const user of both) await user.get('/board').expect(302);
    for (const userName of ['bob@acme.test', 'eve@acme.test']) await signIn(browser(), userName).expect(401);
  });

  it('signs out, by a button', async () => {
    const ada = browser();
    const { headers } = await signIn(ada, 'ada@acme.test').expect(303);
    const withKeptCookie = () =>
      browser()
        .get('/board')
        .set('cookie', headers['set-cookie']?.[0] ?? '');
    await ada.get('/sign-out').expect(200, /<form method="post" action="\/sign-out">/);
    await withKeptCookie().expect(200);
    await ada.post('/sign-out').expect(303);
    await ada.get('/board').expect(302);
    await withKeptCookie().expect(302);
  });

  it('leads back to the page that was asked for, also after a wrong password', async () => {
    const ada = browser();
    const asked = '/outbox?workspace=shop&page=2';
    const { location = '' } = (await ada.get(asked).expect(302)).headers;
    const hidden = 'name="next" value="/outbox?workspace=shop&amp;page=2"';
    expect((await ada.get(location).expect(200)).text).toContain(hidden);
    const submit = (word: string) =>
      ada.post('/sign-in').type('form').send({ userName: 'ada@acme.test', password: word, next: asked });
    const { text } = await submit('wrong').expect(401);
    expect(text).toContain(hidden);
    expect(text).toMatch(/id="userName"[^>]* value="ada@acme\.test"/);
    await submit(password).expect(303).expect('location', asked);
  });

  it('does not ask somebody who is signed in', async () => {
    const ada = await signedIn('ada@acme.test');
    await ada.get('/sign-in').expect(302).expect('location', '/');
    await ada.get('/sign-in?next=%2Foutbox').expect(302).expect('location', '/outbox');
    await ada.get('/sign-in?next=//evil.test').expect(302).expect('location', '/');
  });

  it('each page tells who is signed in, and how to sign out', async () => {
    const ada = await signedIn('ada@acme.test');
    for (const path of ['/', '/outbox', '/outbox/message?id=none', '/nothing'])
      expect((await ada.get(path)).text).toContain('Signed in as Ada@acme.test. <a href="/sign-out">');
    expect((await ada.get('/sign-out')).text).toContain('You are signed in as Ada@acme.test.');
    expect((await browser().get('/sign-out')).text).not.toContain('signed in as');
    const { server, address } = await open('never');
    expect((await browser(address).get('/')).text).not.toContain('Sign out');
    server.close();
  });

  it('ends the session that the browser had before', async () => {
    const ada = browser();
    const { headers } = await signIn(ada, 'ada@acme.test').expect(303);
    await signIn(ada, 'ada@acme.test').expect(303);
    const before = browser()
      .get('/board')
      .set('cookie', headers['set-cookie']?.[0] ?? '');
    await before.expect(302);
    await ada.get('/board').expect(200);
  });

  it('signs no user out from another site', async () => {
    const ada = await signedIn('ada@acme.test');
    const { headers } = await ada.post('/sign-out').set('sec-fetch-site', 'cross-site').expect(403);
    expect(headers).not.toHaveProperty('set-cookie');
    await ada.get('/board').expect(200);
  });

  it('is not delayed by callers that send a form slowly', async () => {
    const { server, address } = await open('auto', { formMs: 500 });
    const slow = Array.from({ length: 6 }, () => slowForm(address));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await signIn(request(address), 'ada@acme.test').expect(303);
    for (const text of await Promise.all(slow)) expect(text).toContain('HTTP/1.1 408 ');
    server.close();
  });

  it('reads no form that is too long', async () => {
    await signIn(browser(), 'ada@acme.test', 'x'.repeat(10_000)).expect(413);
  });

  it('counts tries by the IP of the caller, behind a proxy that is trusted', async () => {
    const trustful = await open('auto', {}, 'loopback');
    const tryFrom = async (address: string, ip: string, userName: string) =>
      (await signIn(request(address), userName, 'wrong').set('x-forwarded-for', ip)).status;
    for (let tries = 0; tries < 11; tries++) await tryFrom(trustful.address, '192.0.2.1', `a${tries}`);
    expect(await tryFrom(trustful.address, '192.0.2.1', 'b')).toBe(429);
    expect(await tryFrom(trustful.address, '192.0.2.2', 'b')).toBe(401);
    trustful.server.close();
    const distrustful = await open('auto');
    for (let tries = 0; tries < 11; tries++)
      await tryFrom(distrustful.address, `192.0.2.${tries}`, `a${tries}`);
    expect(await tryFrom(distrustful.address, '192.0.2.99', 'b')).toBe(429);
    distrustful.server.close();
  });

  it('takes no form from elsewhere, and not too many', async () => {
    for (const elsewhere of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])
      await signIn(browser(), 'ada@acme.test').set(elsewhere).expect(403);
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await signIn(browser(), 'ada@acme.test', 'wrong')).status);
    expect(statuses.at(-1)).toBe(429);
    await signIn(browser(), 'ada@acme.test').expect(429);
    now += 6 * 60_000;
    await signIn(browser(), 'ada@acme.test').expect(303);
  });

  describe('an invitation', () => {
    const long = 'a password that she chose';
    /** For a user without a password. */
    const invite = async (_id: string): Promise<string> => {
      const named = { _id, company: 'acme', userName: `${_id}@acme.test`, active: true, permissions: admin };
      await store.dashboard.users.updateOne(
        { _id },
        { $setOnInsert: { ...named, at: 1, changed: 1, rev: 1 } },
        { upsert: true },
      );
      const { token, id, expires } = createInvite(new Date(now));
      await store.dashboard.sessions.insertOne({ _id: id, user: _id, expires });
      return `/invite/${token}`;
    };
    const choose = (link: string, word = long) => browser().post(link).type('form').send({ password: word });

    it('lets its user choose a password and in, once', async () => {
      const link = await invite('eve');
      await browser()
        .get(link)
        .expect(200, /value="eve@acme\.test"/);
      await browser().get(link).expect(200);
      const eve = browser();
      await eve.post(link).type('form').send({ password: long }).expect(303).expect('location', '/');
      await eve.get('/board').expect(200);
      await choose(link).expect(410, /This link is over/);
      await browser().get(link).expect(410);
      const { what, by } = (await store.audit.list({ target: 'eve' })).at(-1) ?? {};
      expect([what, by]).toEqual(['user.password_set', 'user:eve']);
    });

    it('says so to somebody who is signed in as another user, whose session it ends', async () => {
      const link = await invite('guest');
      const ada = await signedIn('ada@acme.test');
      const { text } = await ada.get(link).expect(200);
      expect(text).toContain('You are signed in as Ada@acme.test. This link is for guest@acme.test');
      expect((await browser().get(link)).text).not.toContain('You are signed in');
      await ada.post(link).type('form').send({ password: long }).expect(303);
      expect((await ada.get('/')).text).toContain('Signed in as guest@acme.test');
      expect(await store.dashboard.sessions.countDocuments({ user: 'guest' })).toBe(1);
    });

    it('is used by one of many who send it at once', async () => {
      const link = await invite('mob');
      const statuses = (await Promise.all([1, 2, 3].map(() => choose(link)))).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([303, 410, 410]);
    });

    it.each([
      ['too short', 'eleven char', /12 characters at least/],
      ['too long', 'x'.repeat(201), /200 characters at most/],
    ])('takes no password that is %s, and stays good', async (_kind, word, problem) => {
      const link = await invite('picky');
      await choose(link, word).expect(400, problem);
      await choose(link).expect(303);
    });

    it('is over after an hour, and for a user who was shut out', async () => {
      const [old, shut] = [await invite('late'), await invite('shut')];
      await store.dashboard.users.updateOne({ _id: 'shut' }, { $set: { active: false } });
      await choose(shut).expect(410);
      now += 3_600_000;
      await choose(old).expect(410);
    });

    it('of a user with a passkey lets nobody in who has only the link', async () => {
      const link = await invite('keyed');
      const passkey = {
        id: 'p',
        key: 'AAAA',
        counter: 0,
        host: 'board.test',
        name: 'x',
        added: new Date(now),
      };
      await store.dashboard.users.updateOne({ _id: 'keyed' }, { $set: { passkeys: [passkey] } });
      const keyed = browser();
      await keyed
        .post(link)
        .type('form')
        .send({ password: long })
        .expect(200, /and with your passkey/);
      await keyed.get('/board').expect(302);
      expect(await store.dashboard.sessions.countDocuments({ user: 'keyed' })).toBe(0);
    });

    it('is no session, and no session is one', async () => {
      const link = await invite('twist');
      const token = link.replace('/invite/', '');
      await browser().get('/board').set('cookie', `roster_session=${token}`).expect(302);
      const twist = browser();
      const { headers } = await twist.post(link).type('form').send({ password: long });
      const [, session] = /roster_session=([\w-]+)/.exec(headers['set-cookie']?.[0] ?? '') ?? [];
      await choose(`/invite/${session}`).expect(410);
    });

    it('is not taken from another site', async () => {
      const link = await invite('elsewhere');
      await choose(link).set('sec-fetch-site', 'cross-site').expect(403);
      await choose(link).expect(303);
    });
  });

  it('stays shut when the last user is deleted, also to a process that starts later', async () => {
    const created = { at: 1, by: 'scim:token1', what: 'user.created', target: 'u1', company: 'acme' };
    await store.transact((session) => store.audit.append(session, created));
    await store.dashboard.users.deleteMany({});
    now += 10_000;
    await browser().get('/board').expect(302);
    const restarted = await open('auto');
    await browser(restarted.address).get('/board').expect(302);
    restarted.server.close();
  });

  it('tells a fault of its own from MongoDB that is away, and in the log', async () => {
    const heard: unknown[] = [];
    const fault = new Error('a fault');
    const openStore = () => Promise.reject(fault);
    const { server, address } = await open('always', {
      openStore,
      onError: (error) => void heard.push(error),
    });
    const { text } = await signIn(request(address), 'ada@acme.test').expect(500);
    expect(text).toContain('in the log of the monitor');
    expect(text).not.toContain('MONITOR_SIGN_IN');
    expect(heard).toEqual([fault]);
    server.close();
  });

  it('shows nothing when MongoDB cannot tell, unless sign-in is switched off', async () => {
    const away = () => Promise.reject(new Error('away'));
    const [shut, free] = [await open('auto', { openStore: away }), await open('never', { openStore: away })];
    await request(shut.address).get('/board').expect(503).expect('content-type', /json/);
    await browser(shut.address)
      .get('/board')
      .expect(503, /<h1>[\s\S]*MongoDB is away/);
    await request(shut.address)
      .get(`/invite/${'A'.repeat(43)}`)
      .expect(503, /MongoDB is away/);
    await request(shut.address)
      .post('/sign-out')
      .set('cookie', `roster_session=${'A'.repeat(43)}`)
      .expect('set-cookie', /Max-Age=0/)
      .expect(503, /only its time ends it/);
    await request(free.address).get('/board').expect(200);
    shut.server.close();
    free.server.close();
  });
});
