import { get as httpGet, type Server } from 'node:http';
import { connect } from 'node:net';
import { hashPassword } from '@roster/access';
import { urlOf, useStore } from '@roster/testkit';
import { createApp } from '../app.ts';
import type { Board } from '../board.ts';
import { createSignIn, type SignInOptions } from './sign-in.ts';
import { addCompany, addUser, admin, cookieOf, password, signIn } from './testbed.ts';

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
    const app = createApp({ board, isRedisThere: () => true, signIn: door, openStore, trustedProxies });
    return new Promise<{ server: Server; address: string }>((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => resolve({ server, address: urlOf(server) }));
    });
  };

  const add = async (_id: string, userName: string) => {
    const kept = await hashPassword(password, passwordCost);
    await addUser(store, userName, { _id, permissions: admin, password: kept });
  };

  const submit = (userName: string, word = password, headers: Record<string, string> = {}) =>
    signIn(base, userName, word, headers);
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
  const look = (cookie = '', path = '/board') =>
    fetch(base + path, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });

  beforeAll(async () => {
    await addCompany(store);
    ({ server: http, address: base } = await open('auto'));
  });
  afterAll(() => http.close());

  it('is open while there is no dashboard user', async () => {
    expect((await look()).status).toBe(200);
  });

  it('is served under names of its own only, while it needs no sign-in', async () => {
    const statusFor = (host: string) =>
      new Promise((resolve, reject) => {
        const asked = httpGet(`${base}/board/api/queues`, { headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on('error', reject);
      });
    expect([await statusFor('evil.example'), await statusFor('localhost:3000')]).toEqual([421, 200]);
  });

  it('shuts when there is one', async () => {
    await add('u1', 'Ada@acme.test');
    now += 10_000;
    const page = await look();
    expect([page.status, page.headers.get('location')]).toEqual([302, '/sign-in']);
    const api = await fetch(`${base}/board/api/queues`);
    expect([api.status, await api.json()]).toEqual([401, { message: 'Sign in first' }]);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    expect(await (await look('', '/sign-in')).text()).toContain('name="password"');
  });

  it('opens to the right password, in any letter case of the name, and writes the time down', async () => {
    const answer = await submit('ada@ACME.test');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^roster_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect((await look(cookieOf(answer))).status).toBe(200);
    const kept = await store.dashboard.users.findOne({ _id: 'u1' });
    expect(kept?.signed_in).toEqual(new Date(now));
    expect(JSON.stringify(await store.dashboard.sessions.find().toArray())).not.toContain(
      cookieOf(answer).slice(16),
    );
  });

  it.each([
    ['a wrong password', 'ada@acme.test', 'wrong'],
    ['an unknown user', 'unknown@acme.test', password],
    ['nothing', '', ''],
  ])('stays shut to %s', async (_who, userName, word) => {
    const answer = await submit(userName, word);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await answer.text()).toContain('do not sign anybody in');
  });

  it('stays shut to made-up and old cookies', async () => {
    const answer = await submit('ada@acme.test');
    expect((await look(`roster_session=${'A'.repeat(43)}`)).status).toBe(302);
    expect((await look('roster_session=')).status).toBe(302);
    now += 13 * 3_600_000;
    expect((await look(cookieOf(answer))).status).toBe(302);
  });

  it('shuts for a user who is deactivated or deleted, from that moment', async () => {
    await add('u2', 'bob@acme.test');
    await add('u3', 'eve@acme.test');
    const [bob, eve] = [await submit('bob@acme.test'), await submit('eve@acme.test')];
    expect([(await look(cookieOf(bob))).status, (await look(cookieOf(eve))).status]).toEqual([200, 200]);
    await store.dashboard.users.updateOne({ _id: 'u2' }, { $set: { active: false } });
    await store.dashboard.users.deleteOne({ _id: 'u3' });
    expect([(await look(cookieOf(bob))).status, (await look(cookieOf(eve))).status]).toEqual([302, 302]);
    expect([(await submit('bob@acme.test')).status, (await submit('eve@acme.test')).status]).toEqual([
      401, 401,
    ]);
  });

  it('signs out, by a button', async () => {
    const cookie = cookieOf(await submit('ada@acme.test'));
    const page = await look(cookie, '/sign-out');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<form method="post" action="/sign-out">');
    expect((await look(cookie)).status).toBe(200);
    const answer = await fetch(`${base}/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
    });
    expect(answer.status).toBe(303);
    expect((await look(cookie)).status).toBe(302);
  });

  it('signs no user out from another site', async () => {
    const cookie = cookieOf(await submit('ada@acme.test'));
    const headers = { cookie, 'sec-fetch-site': 'cross-site' };
    const answer = await fetch(`${base}/sign-out`, { method: 'POST', redirect: 'manual', headers });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await look(cookie)).status).toBe(200);
  });

  it('is not delayed by callers that send a form slowly', async () => {
    const { server, address } = await open('auto', { formMs: 500 });
    const slow = Array.from({ length: 6 }, () => slowForm(address));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await signIn(address, 'ada@acme.test')).status).toBe(303);
    for (const text of await Promise.all(slow)) expect(text).toContain('HTTP/1.1 408 ');
    server.close();
  });

  it('reads no form that is too long', async () => {
    expect((await submit('ada@acme.test', 'x'.repeat(10_000))).status).toBe(413);
  });

  it('counts tries by the IP of the caller, behind a proxy that is trusted', async () => {
    const trustful = await open('auto', {}, 'loopback');
    const tryFrom = async (address: string, ip: string, userName: string) =>
      (await signIn(address, userName, 'wrong', { 'x-forwarded-for': ip })).status;
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
    expect((await submit('ada@acme.test', password, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await submit('ada@acme.test', password, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries++) statuses.push((await submit('ada@acme.test', 'wrong')).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await submit('ada@acme.test')).status).toBe(429);
    now += 6 * 60_000;
    expect((await submit('ada@acme.test')).status).toBe(303);
  });

  it('stays shut when the last user is deleted, also to a process that starts later', async () => {
    const created = { at: 1, by: 'scim:token1', what: 'user.created', target: 'u1', company: 'acme' };
    await store.transact((session) => store.audit.append(session, created));
    await store.dashboard.users.deleteMany({});
    now += 10_000;
    expect((await look()).status).toBe(302);
    const restarted = await open('auto');
    expect((await fetch(`${restarted.address}/board`, { redirect: 'manual' })).status).toBe(302);
    restarted.server.close();
  });

  it('shows nothing when MongoDB cannot tell, unless sign-in is switched off', async () => {
    const away = () => Promise.reject(new Error('away'));
    const [shut, free] = [await open('auto', { openStore: away }), await open('never', { openStore: away })];
    expect((await fetch(`${shut.address}/board`)).status).toBe(503);
    expect((await fetch(`${free.address}/board`)).status).toBe(200);
    shut.server.close();
    free.server.close();
  });
});
