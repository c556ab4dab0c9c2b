import { once } from 'node:events';
import type { Server } from 'node:http';
import { hashPassword } from '@roster/access';
import { openPreviews } from '@roster/channels';
import { urlOf, useStore } from '@roster/testkit';
import request from 'supertest';
import { createApp } from '../app.ts';
import type { Board } from '../board.ts';
import { createSignIn } from '../sign-in/sign-in.ts';
import { addCompany, addUser, admin, password, signIn } from '../sign-in/testbed.ts';

const store = useStore();
const passwordCost = 16;
const other = 'a lamp beside three rivers';
let server: Server;
let now = Date.now();
const noted: string[] = [];
let toldBefore = 0;

beforeAll(async () => {
  await addCompany(store);
  const board: Board = (_viewer, _request, response) => void response.send('the board');
  const openStore = async () => store;
  const note = ({ event }: { event: string }) => void noted.push(event);
  const door = createSignIn({ mode: 'always', openStore, now: () => now, passwordCost, note });
  const parts = {
    board,
    signIn: door,
    openStore,
    previews: openPreviews(),
    trustedProxies: '',
    outboxToken: '',
  };
  const app = createApp({ ...parts, isRedisThere: () => true, waits: async () => [] });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

beforeEach(async () => {
  noted.length = 0;
  toldBefore = (await toldOf()).length;
  await store.dashboard.users.deleteMany({});
  await store.dashboard.claims.deleteMany({});
  await store.dashboard.sessions.deleteMany({});
  await addUser(store, 'ada@acme.test', {
    _id: 'ada',
    permissions: admin,
    password: await hashPassword(password, passwordCost),
  });
  now += 10 * 60_000;
});

const browser = (name = 'Firefox of Ada') =>
  request.agent(urlOf(server)).accept('html').set('user-agent', name);
const signedIn = async (name?: string) => {
  const ada = browser(name);
  await signIn(ada, 'ada@acme.test').expect(303);
  return ada;
};
type Ada = Awaited<ReturnType<typeof signedIn>>;
const act = (ada: Ada, fields: Record<string, string>) =>
  ada
    .post('/account')
    .type('form')
    .send({ current: password, ...fields });
const passkey = {
  id: 'a-passkey',
  key: 'AAAA',
  counter: 0,
  host: 'board.acme.test',
  name: 'My <b>laptop</b>',
  added: new Date('2026-11-01T10:00:00Z'),
};
const addPasskey = () => store.dashboard.users.updateOne({ _id: 'ada' }, { $set: { passkeys: [passkey] } });
const toldOf = async () => (await store.audit.list({ target: 'ada' })).map(({ what }) => what);
/** Of this test. */
const told = async () => (await toldOf()).slice(toldBefore);

it('is for who is signed in, and leads there', async () => {
  await browser().get('/account').expect(303).expect('location', '/sign-in?next=%2Faccount');
  const { text } = await (await signedIn()).get('/account').expect(200);
  expect(text).toContain('ada@acme.test, of the company acme.');
  await browser().post('/account').type('form').send({ do: 'password' }).expect(303);
});

it('shows the sessions, and which one is this', async () => {
  await signedIn('Phone of Ada <i>');
  const { text } = await (await signedIn('Firefox of Ada')).get('/account').expect(200);
  expect(text).toContain('Firefox of Ada <strong>(this one)</strong>');
  expect(text).toContain('Phone of Ada &lt;i&gt;</p>');
});

it('changes the password, and ends all other sessions', async () => {
  const [phone, ada] = [await signedIn('phone'), await signedIn()];
  await act(ada, { do: 'password', new: other }).expect(200, /The password is changed/);
  await phone.get('/board').expect(302);
  await ada.get('/board').expect(200);
  await signIn(browser(), 'ada@acme.test', password).expect(401);
  await signIn(browser(), 'ada@acme.test', other).expect(303);
  expect(await told()).toEqual(['user.password_set']);
  expect(noted).toContain('account.changed');
  expect((await ada.get('/account')).text).toContain('Chosen <time');
});

it.each([
  [
    'with another password than that of the user',
    { current: 'a wrong one', new: other },
    401,
    'not your password',
  ],
  ['to one that is short', { new: 'short' }, 400, '12 characters'],
  ['to one that others try first', { new: 'ada@acme.test1' }, 400, 'among the first'],
])('does not change the password %s', async (_, fields, status, words) => {
  const ada = await signedIn();
  await act(ada, { do: 'password', ...fields }).expect(status, new RegExp(words));
  await signIn(browser(), 'ada@acme.test', password).expect(303);
  expect(await told()).toEqual([]);
});

it('lets nobody guess the password in a browser that was left open', async () => {
  const ada = await signedIn();
  const statuses: number[] = [];
  for (let tries = 0; tries < 11; tries++)
    statuses.push((await act(ada, { do: 'password', current: `guess ${tries}`, new: other })).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  await act(ada, { do: 'password', new: other }).expect(429);
});

it('signs out everywhere else', async () => {
  const [phone, ada] = [await signedIn('phone'), await signedIn()];
  await act(ada, { do: 'sessions.end', current: 'a wrong one' }).expect(401);
  await phone.get('/board').expect(200);
  await act(ada, { do: 'sessions.end' }).expect(200);
  await phone.get('/board').expect(302);
  await ada.get('/board').expect(200);
});

it('takes no form from elsewhere, and none that there is not', async () => {
  const ada = await signedIn();
  await act(ada, { do: 'sessions.end' }).set('origin', 'https://evil.test').expect(403);
  await act(ada, { do: 'constructor' }).expect(400, /no such form/);
});

describe('with a passkey', () => {
  it('the password alone signs nobody in, and says where the passkey is for', async () => {
    await addPasskey();
    const { headers } = await signIn(browser(), 'ada@acme.test').expect(
      401,
      /for board\.acme\.test: open the board/,
    );
    expect(headers).not.toHaveProperty('set-cookie');
    const at = await signIn(browser().set('host', 'board.acme.test'), 'ada@acme.test').expect(
      200,
      /Use your passkey/,
    );
    expect(at.headers).not.toHaveProperty('set-cookie');
    expect(at.text).toContain('data-passkey="known"');
    await signIn(browser(), 'ada@acme.test', 'wrong').expect(401, /do not sign anybody in/);
  });

  const stepOne = async () => {
    await addPasskey();
    const ada = browser().set('host', 'board.acme.test');
    const { text } = await signIn(ada, 'ada@acme.test').expect(200);
    const [, token = ''] = /name="token" value="([\w-]{43})"/.exec(text) ?? [];
    const stepTwo = (fields: Record<string, string>) =>
      ada
        .post('/sign-in/passkey')
        .type('form')
        .send({ token, next: '/', ...fields });
    return { ada, token, stepTwo };
  };

  it.each([
    ['no answer', ''],
    ['no JSON', '{'],
    ['no object', 'null'],
    ['another passkey', '{"id":"another"}'],
    ['nothing but an id', '{"id":"a-passkey"}'],
    [
      'a made-up answer',
      '{"id":"a-passkey","rawId":"a-passkey","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AAAA","signature":"AAAA"}}',
    ],
  ])('%s signs nobody in', async (_, answer) => {
    const { stepTwo } = await stepOne();
    const { headers } = await stepTwo({ answer }).expect(401);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('an answer is tried once, and not after five minutes', async () => {
    const { token, stepTwo } = await stepOne();
    const before = await store.dashboard.sessions.countDocuments();
    await stepTwo({ answer: '{}' }).expect(401);
    expect(await store.dashboard.sessions.countDocuments()).toBe(before - 1);
    await stepTwo({ answer: '{}' }).expect(401);
    await browser().get('/board').set('cookie', `roster_session=${token}`).expect(302);
  });

  it('it is removed by its user, with the password', async () => {
    const ada = await signedIn();
    await addPasskey();
    expect((await ada.get('/account')).text).toContain('My &lt;b&gt;laptop&lt;/b&gt;');
    await act(ada, { do: 'passkey.remove', passkey: 'another' }).expect(400);
    await act(ada, { do: 'passkey.remove', passkey: passkey.id, current: 'wrong' }).expect(401);
    await act(ada, { do: 'passkey.remove', passkey: passkey.id }).expect(200, /is removed/);
    await signIn(browser(), 'ada@acme.test').expect(303);
    expect(await told()).toEqual(['user.passkey_removed']);
  });

  it('at an IP none is added, under a name the browser is asked for one', async () => {
    const ada = await signedIn();
    await act(ada, { do: 'passkey.add', name: 'x' }).expect(400, /under a name/);
    const { text } = await act(ada, { do: 'passkey.add', name: 'x' })
      .set('host', 'board.acme.test')
      .expect(200);
    expect(text).toContain('data-passkey="new"');
    expect(text).toContain(
      '&quot;rp&quot;:{&quot;name&quot;:&quot;Roster&quot;,&quot;id&quot;:&quot;board.acme.test&quot;}',
    );
    const [, token = ''] = /name="token" value="([\w-]{43})"/.exec(text) ?? [];
    const send = (fields: Record<string, string>) =>
      ada.post('/account/passkey').set('host', 'board.acme.test').type('form').send(fields);
    await send({ token, answer: '{}' }).expect(400, /Begin again/);
    await send({ token: 'x', answer: '{}' }).expect(400, /Begin again/);
    await browser().post('/account/passkey').type('form').send({ token, answer: '{}' }).expect(303);
    expect((await store.dashboard.users.findOne({ _id: 'ada' }))?.passkeys).toBeUndefined();
  });

  it('the eleventh is not added', async () => {
    const ada = await signedIn();
    const passkeys = Array.from({ length: 10 }, (_, at) => ({ ...passkey, id: `p${at}` }));
    await store.dashboard.users.updateOne({ _id: 'ada' }, { $set: { passkeys } });
    await act(ada, { do: 'passkey.add', name: 'x' })
      .set('host', 'board.acme.test')
      .expect(400, /Remove one first/);
  });
});
