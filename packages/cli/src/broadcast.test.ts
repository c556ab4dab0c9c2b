/** Broadcast channels at a strict APNs of our own. */
import { appleKey, openApns, useServers } from '@roster/testkit';
import { run, runJson } from './test-io.ts';

const apns: { current?: Awaited<ReturnType<typeof openApns>> } = {};
const its = () => {
  if (!apns.current) throw new Error('APNs is not open');
  return apns.current;
};

const key = { env: 'ROSTER_CREDENTIAL_APNS' };
const servers = useServers();
const appAt = (id: string, url: string, more: object = {}) => ({
  id,
  name: id,
  channels: { ios_push: { ...appleKey, key, url, ...more } },
});

beforeAll(async () => {
  apns.current = await openApns();
  const { url } = its();
  await servers.store.workspaces.put({
    id: 'shop',
    name: 'Shop',
    apps: [
      appAt('phone', url),
      appAt('other', url, { topic: 'com.example.other' }),
      appAt('away', 'http://127.0.0.1:9'),
      { id: 'bare', name: 'Bare' },
    ],
  });
});
afterEach(() => {
  delete its().state.answer;
});
afterAll(() => its().close());

const env = () => ({ MONGO_URL: servers.mongoUrl, ROSTER_CREDENTIAL_APNS: appleKey.key });
const roster = (line: string, more: object = {}) =>
  run(`channel broadcast ${line}`, { env: { ...env(), ...more } });
const rosterJson = (line: string) => runJson(`channel broadcast ${line}`, { env: env() });
const refuse = (status: number, word: string): void => {
  its().state.answer = (stream) => its().refuse(stream, [status, word]);
};

it('makes channels, lists and shows them, and deletes them', async () => {
  expect(await roster('list phone')).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('no broadcast channels'),
  });
  const made = await roster('create phone');
  const [plain = ''] = made.out.split('\n');
  expect(made).toMatchObject({ code: 0, out: `${plain}\n` });
  expect(made.err).toContain('"channel_id"');
  const { channel: storing } = await rosterJson('create phone --store');
  expect([...its().state.channels]).toEqual([
    [plain, 0],
    [storing, 1],
  ]);
  expect(await roster('list phone')).toMatchObject({ code: 0, out: `${plain}\n${storing}\n` });
  expect((await roster(`show phone ${plain}`)).out).toBe(`channel: ${plain}\nstores: nothing\n`);
  expect(await rosterJson(`show phone ${storing}`)).toEqual({ channel: storing, stores: true });
  expect(await roster(`delete phone ${plain} ${storing} ${plain}`)).toMatchObject({
    code: 0,
    out: 'deleted: 2 channels\n',
  });
  expect(its().state.channels.size).toBe(0);
  const set = { ws: 'shop', app: 'phone' };
  for (const target of [plain, storing])
    expect(await servers.store.audit.list({ target })).toMatchObject([
      { what: 'broadcast.created', set },
      { what: 'broadcast.deleted', set },
    ]);
});

it('lists as many as an app may have', async () => {
  const ids = Array.from({ length: 10_000 }, (_, n) =>
    Buffer.from(`channel ${n}`.padEnd(192)).toString('base64'),
  );
  for (const id of ids) its().state.channels.set(id, 0);
  expect(await rosterJson('list phone')).toEqual(ids);
  expect(await roster('create phone')).toMatchObject({
    code: 1,
    err: expect.stringContaining('An app may have 10,000 channels: delete those'),
  });
  its().state.channels.clear();
});

it('says how many were deleted when one is not', async () => {
  const { channel } = await rosterJson('create phone');
  const { code, err } = await roster(`delete phone ${channel} YWJj`);
  expect([code, err]).toEqual([1, expect.stringContaining('YWJj is not deleted')]);
  expect(err).toContain('ChannelNotRegistered');
  expect(err).toContain('"roster channel broadcast list" shows');
  expect(err).toContain('1 of 2 were deleted.');
});

it.each([
  ['FeatureNotEnabled', 403, 'Switch on Broadcast Capability under Push Notifications'],
  ['InvalidProviderToken', 403, 'Correct them, or the address of the server'],
  ['TooManyRequests', 429, 'rate_limited (429)'],
  ['InternalServerError', 500, 'provider_unavailable (500)'],
])('explains %s', async (word, status, said) => {
  refuse(status, word);
  const { code, err } = await roster('create phone');
  expect([code, err]).toEqual([1, expect.stringContaining(said)]);
  expect(err).toContain(word);
});

it('explains a bundle id of another key, an app without credentials, and a key that is none', async () => {
  expect(await roster('list other')).toMatchObject({
    code: 1,
    err: expect.stringContaining('TopicMismatch'),
  });
  expect(await roster('list bare')).toMatchObject({
    code: 3,
    err: expect.stringContaining('Add apps[].channels.ios_push'),
  });
  expect(await roster('list phon')).toMatchObject({ code: 3, err: expect.stringContaining('phone') });
  const { code, err } = await roster('list phone', { ROSTER_CREDENTIAL_APNS: 'not a key' });
  expect([code, err]).toEqual([1, expect.stringContaining('is not the text of a .p8 file')]);
  expect(err).not.toContain('not a key');
});

it('a channel whose answer is lost may have been made; a server that is away is told', async () => {
  its().state.answer = (_, session) => session.destroy();
  expect(await roster('create phone')).toMatchObject({
    code: 1,
    err: expect.stringContaining('It may have been made: "roster channel broadcast list"'),
  });
  expect(await roster('list away')).toMatchObject({ code: 1, err: expect.stringContaining('port 2196') });
});

it.each([
  ['that repeats the token', (token: string) => `bad ${token}`],
  ['that repeats the key', () => appleKey.key],
])('an answer %s is masked', async (_, wordOf) => {
  its().state.answer = (stream, __, { authorization = '' }) =>
    its().refuse(stream, [403, wordOf(authorization.slice('bearer '.length))]);
  const { err } = await roster('list phone');
  expect(err).toContain('***');
  expect(err).not.toMatch(/eyJ|BEGIN PRIVATE|MIG/);
});

it('an answer that is no list is told, however long', async () => {
  its().state.answer = (stream) => {
    stream.respond({ ':status': 200 });
    stream.end('x'.repeat(4 * 1024 * 1024));
  };
  expect(await roster('list phone')).toMatchObject({
    code: 1,
    err: expect.stringContaining('answer_unreadable'),
  });
});
