import type { AcceptedRequest } from '@roster/contract';
import { fold, identityKey, newProfile, type Profile, randomBucket } from '@roster/profile';
import { openStore, type Store } from '@roster/store';
import { type TestServer, testMongo } from '@roster/testkit';
import { handlers } from './handlers.ts';

jest.setTimeout(30_000);

let server: TestServer;
let store: Store;
const at = 1_763_000_000_000_000;

const person = (_id: string, external_id: string, first_name: string): Profile =>
  fold(
    { ...newProfile(_id, 'demo', at), external_id, aliases: [{ label: 'crm', name: `${external_id}-7` }] },
    [
      { kind: 'field', name: 'first_name', value: first_name },
      { kind: 'field', name: 'email', value: 'Shared@b.co' },
      { kind: 'field', name: 'phone', value: `+1500555000${_id.slice(-1)}` },
      { kind: 'increment', name: 'visits', by: 2 },
    ],
    at,
  ).profile;

const everybody = [person('00a1', 'ada', 'Ada'), person('00b2', 'bob', 'Bob')];

beforeAll(async () => {
  server = await testMongo();
  store = await openStore({
    url: server.url,
    appName: 'export-test',
    patienceMs: 10_000,
    ensureIndexes: true,
  });
  await store.profiles.insertMany(everybody);
  await store.identities.insertMany(
    everybody.flatMap(({ _id, external_id = '' }) => [
      { _id: identityKey('demo', { by: 'external_id', id: external_id }), profile: _id, at },
      {
        _id: identityKey('demo', { by: 'user_alias', label: 'crm', name: `${external_id}-7` }),
        profile: _id,
        at,
      },
    ]),
  );
});
afterAll(async () => {
  await store.close();
  await server.close();
});

const exported = async (body: object, ws = 'demo') => {
  const request: AcceptedRequest = {
    id: 'r1',
    ws,
    op: 'users.export.ids',
    at,
    body: { fields_to_export: ['external_id'], ...body },
  };
  return handlers['users.export.ids'](request, { store });
};

describe('users.export.ids', () => {
  it('gives users in the order of the request and names who is unknown', async () => {
    expect(await exported({ external_ids: ['bob', 'nobody', 'ada'] })).toEqual({
      status: 201,
      body: {
        message: 'success',
        users: [{ external_id: 'bob' }, { external_id: 'ada' }],
        invalid_user_ids: ['nobody'],
      },
    });
  });

  it('gives only the fields that were asked for, and leaves out what is not there', async () => {
    const fields_to_export = [
      'first_name',
      'last_name',
      'user_aliases',
      'custom_attributes',
      'random_bucket',
      'created_at',
      'service_id',
    ];
    expect((await exported({ external_ids: ['ada'], fields_to_export })).body).toEqual({
      message: 'success',
      users: [
        {
          first_name: 'Ada',
          user_aliases: [{ alias_name: 'ada-7', alias_label: 'crm' }],
          custom_attributes: { visits: 2 },
          random_bucket: randomBucket('00a1'),
          created_at: '2025-11-13T02:13:20.000Z',
          service_id: '00a1',
        },
      ],
    });
  });

  it.each([
    ['alias', { user_aliases: [{ alias_label: 'crm', alias_name: 'bob-7' }] }, ['bob']],
    ['service id', { service_id: '00a1' }, ['ada']],
    ['phone', { phone: '+15005550002' }, ['bob']],
    ['email, in another spelling, everybody who has it', { email_address: ' sharEd@B.co' }, ['ada', 'bob']],
    [
      'several ways, each once',
      { external_ids: ['ada'], user_aliases: [{ alias_label: 'crm', alias_name: 'ada-7' }] },
      ['ada'],
    ],
  ])('finds people by %s', async (_, body, ids) => {
    expect((await exported(body)).body).toEqual({
      message: 'success',
      users: ids.map((external_id) => ({ external_id })),
    });
  });

  it('finds nobody of another workspace', async () => {
    expect((await exported({ external_ids: ['ada'], service_id: '00a1' }, 'other')).body).toEqual({
      message: 'success',
      users: [],
      invalid_user_ids: ['ada', '00a1'],
    });
  });
});

describe('requests.read', () => {
  const read = (id: string, ws = 'demo') =>
    handlers['requests.read']({ id: 'r2', ws, op: 'requests.read', at, params: { id } }, { store });
  const applied = new Date('2026-01-31T12:00:00.014Z');
  const mark = { ws: 'demo', op: 'users.track', at, applied, expires: new Date(Date.now() + 1e9) };

  it('tells what became of each entry of an applied request', async () => {
    await store.requests.insertOne({
      ...mark,
      _id: 'r-applied',
      state: 'applied',
      entries: { events: ['updated*2', 'ignored:no_such_user'] },
    });
    expect(await read('r-applied')).toEqual({
      status: 200,
      body: {
        message: 'success',
        request_id: 'r-applied',
        operation: 'users.track',
        state: 'applied',
        accepted_at: '2025-11-13T02:13:20.000Z',
        applied_at: '2026-01-31T12:00:00.014Z',
        entries: {
          events: [
            { result: 'updated' },
            { result: 'updated' },
            { result: 'ignored', reason: 'no_such_user' },
          ],
        },
      },
    });
  });

  it('tells why a request failed', async () => {
    await store.outcomes.fail({ id: 'r-failed', ws: 'demo', op: 'users.track', at }, 'too large');
    const answer = await read('r-failed');
    expect(answer?.body).toMatchObject({ state: 'failed', reason: 'too large' });
    expect(answer?.body).not.toHaveProperty('applied_at');
  });

  it('knows nothing of a request of another workspace, or of none', async () => {
    expect(await read('r-applied', 'other')).toBeUndefined();
    expect(await read('r-none')).toBeUndefined();
  });
});
