import { type AcceptedRequest, type OperationId, operationById, type Query } from '@roster/contract';
import { withSaid } from '@roster/profile';
import { requestId } from '@roster/queue';
import { aProfile, createAnswerCheck, storeProfiles, useStore } from '@roster/testkit';
import { createAnswer } from './answer.ts';
import { at } from './testbed.ts';

const secret = 'a secret of this test';
const wrongWith = createAnswerCheck();

const store = useStore();

beforeAll(async () => {
  await store.workspaces.put({
    id: 'demo',
    subscription_groups: [
      { id: 'news', name: 'News', channel: 'email' },
      { id: 'alerts', name: 'Alerts', channel: 'sms' },
    ],
  } as { id: string });
  const consents = [news('subscribed', at + 1)];
  await storeProfiles(store, [
    aProfile('p-ada', at, { external_id: 'ada', email: 'Ada@b.co', more: { consents } }),
    aProfile('p-bob', at, { external_id: 'bob', email: 'ada@b.co' }),
    aProfile('p-tag', at, { email: 'tag+news@b.co' }),
    aProfile('p-eve', at, { phone: '+15005550006' }),
  ]);
  await store.contacts.insertMany([
    { _id: 'demo:m:ada@b.co', ws: 'demo', consents: [news('unsubscribed', at + 5)] },
    { _id: 'demo:m:nobody@b.co', ws: 'demo', consents: [news('subscribed', at + 5)] },
  ]);
});

const news = (v: 'subscribed' | 'unsubscribed', stamp: number) => ({ k: 'group:news', v, at: stamp });

const ask = async (op: OperationId, query: Query) => {
  const fence = { isPast: async () => true, wait: async () => true };
  const reader = { store, secret, fence, outcomeFence: fence, slots: async () => () => {}, loaded() {} };
  const answer = createAnswer(reader, () => at / 1000);
  const request: AcceptedRequest = { id: 'r1', ws: 'demo', op, at, query };
  const { status, body, headers } = await answer(request);
  const operation = operationById(op);
  if (!operation) throw new Error(op);
  const read = JSON.parse(String(body));
  expect(wrongWith(operation, status, read)).toBeUndefined();
  if (status === 200) expect(headers).toEqual({ 'X-Roster-Fresh': 'true' });
  return [status, read];
};

describe('GET /subscription/status/get', () => {
  const status = (query: Query) =>
    ask('subscription.status.get', { subscription_group_id: 'news', ...query });

  it('tells what counts for each: subscribed, unsubscribed or unknown', async () => {
    expect(await status({ external_id: ['ada', 'bob', 'who', '__proto__'] })).toEqual([
      200,
      {
        status: JSON.parse(
          '{"ada":"Unsubscribed","bob":"Unsubscribed","who":"unknown","__proto__":"unknown"}',
        ),
        message: 'success',
      },
    ]);
  });

  it('shows the last state of an email, also when no person has it; external ids win', async () => {
    const { status: found } = (await status({ email: ['ADA@b.co', 'nobody@b.co', 'x@b.co'] }))[1];
    expect(found).toEqual({ 'ADA@b.co': 'Unsubscribed', 'nobody@b.co': 'Subscribed', 'x@b.co': 'unknown' });
    const both = { email: ['x@b.co'], external_id: ['ada'] };
    expect((await status(both))[1].status).toEqual({ ada: 'Unsubscribed' });
  });

  it('reads all people who share an email, however many share another one', async () => {
    const withEmail = (_id: string, email: string, ...consents: ReturnType<typeof news>[]) =>
      aProfile(_id, at, { email, more: { consents } });
    await store.profiles.insertMany([
      ...Array.from({ length: 1500 }, (_, n) => withEmail(`p-crowd-${n}`, 'crowd@b.co')),
      withEmail('q-last', 'crowd@b.co', news('unsubscribed', at + 1)),
      withEmail('q-other', 'other@b.co', news('subscribed', at + 1)),
    ]);
    expect((await status({ email: ['crowd@b.co', 'other@b.co'] }))[1].status).toEqual({
      'crowd@b.co': 'Unsubscribed',
      'other@b.co': 'Subscribed',
    });
    await store.profiles.deleteMany({ email_key: { $in: ['crowd@b.co', 'other@b.co'] } });
  });

  it('takes an email with a + that was not encoded', async () => {
    const [, asked] = await ask('subscription.user.status', { email: ['tag news@b.co'] });
    expect(asked.users).toMatchObject([{ email: 'tag+news@b.co' }]);
  });

  it('takes a phone with a + that was not encoded', async () => {
    expect((await status({ phone: [' 15005550006'] }))[1].status).toEqual({ '+15005550006': 'unknown' });
  });

  it.each<[Query, string, string]>([
    [
      { subscription_group_id: 'x', external_id: ['a'] },
      'SUBSCRIPTION_GROUP_UNKNOWN',
      'Invalid subscription group ID',
    ],
    [
      { email: ['a@b.co'], phone: ['+15005550006'] },
      'EMAIL_AND_PHONE',
      'Either an email address or a phone number should be provided, but not both.',
    ],
    [{}, 'NOBODY_NAMED', "One of 'external_id', 'email' or 'phone' is required"],
    [{ phone: ['5005550006'] }, 'PHONE_NOT_E164', 'phone is not in the E.164 format'],
  ])('refuses %j', async (query, code, message) => {
    expect(await status(query)).toEqual([400, { message, code }]);
  });
});

describe('GET /subscription/user/status', () => {
  const group = { id: 'news', name: 'News', channel: 'email', status: 'Unsubscribed' };

  it('lists people who share an email one by one, with the groups that have a state', async () => {
    expect(await ask('subscription.user.status', { email: ['ada@b.co'] })).toEqual([
      200,
      {
        users: [
          { email: 'Ada@b.co', phone: null, external_id: 'ada', subscription_groups: [group] },
          { email: 'ada@b.co', phone: null, external_id: 'bob', subscription_groups: [group] },
        ],
        total_count: 2,
        message: 'success',
      },
    ]);
  });

  it('goes by pages', async () => {
    const [, first] = await ask('subscription.user.status', { external_id: ['ada', 'bob', 'bob'], limit: 1 });
    const [, second] = await ask('subscription.user.status', { email: ['ada@b.co'], limit: 1, offset: 1 });
    expect([first.users[0].external_id, first.total_count]).toEqual(['ada', 2]);
    expect([second.users[0].external_id, second.total_count, second.users.length]).toEqual(['bob', 2, 1]);
  });

  it('lists a person in no group too', async () => {
    const [, { users }] = await ask('subscription.user.status', { phone: ['+15005550006'] });
    expect(users).toEqual([
      { email: null, phone: '+15005550006', external_id: null, subscription_groups: [] },
    ]);
  });
});

describe('GET /subscription/history', () => {
  it('is newest first, by pages that do not move when something is added', async () => {
    const said = Array.from({ length: 5 }, (_, i) => ({
      v: i % 2 ? ('unsubscribed' as const) : ('subscribed' as const),
      at: at + i,
      op: 'subscription.status.set',
    }));
    const say = async (some: typeof said) => {
      const consents = withSaid([], 'sms:alerts', ...some);
      await store.profiles.updateOne({ _id: 'p-eve' }, { $set: { consents } });
    };
    await say(said.slice(0, 4));
    const [, first] = await ask('subscription.history', { service_id: 'p-eve', limit: 2 });
    await say(said);
    const [, second] = await ask('subscription.history', {
      service_id: 'p-eve',
      limit: 2,
      cursor: first.next_cursor,
    });
    const ids = said.map((one) => requestId(secret, 'demo', one.at));
    expect(
      [first, second].map(({ changes }) => changes.map((one: { request_id: string }) => one.request_id)),
    ).toEqual([
      [ids[3], ids[2]],
      [ids[1], ids[0]],
    ]);
    expect(second.next_cursor).toBeUndefined();
    expect(first.changes[0]).toMatchObject({
      consent: 'subscription_group',
      subscription_group_id: 'alerts',
      from: 'subscribed',
      to: 'unsubscribed',
      operation: 'subscription.status.set',
    });
  });

  it('names the preference center on whose page the person said it', async () => {
    const [said] = withSaid([], 'sms:alerts', { v: 'subscribed', at, op: 'preference_center.submit:c-1' });
    await store.profiles.updateOne({ _id: 'p-eve' }, { $set: { consents: said ? [said] : [] } });
    const [, { changes }] = await ask('subscription.history', { service_id: 'p-eve' });
    expect(changes).toMatchObject([
      { to: 'subscribed', operation: 'preference_center.submit', preference_center_api_id: 'c-1' },
    ]);
  });

  it('of an email that no person has holds the changes of the email', async () => {
    const [, { changes }] = await ask('subscription.history', { email: 'nobody@b.co' });
    expect(changes).toMatchObject([
      { from: null, to: 'subscribed', request_id: requestId(secret, 'demo', at + 5) },
    ]);
  });

  it.each<[Query, number]>([
    [{}, 400],
    [{ alias_name: 'x' }, 400],
    [{ external_id: 'ada', email: 'a@b.co' }, 400],
    [{ external_id: 'ada', cursor: 'nonsense' }, 400],
    [{ phone: '5005550006' }, 400],
    [{ external_id: 'who' }, 404],
    [{ email: 'who@b.co' }, 404],
    [{ alias_label: 'l', alias_name: 'n' }, 404],
  ])('%j: %d', async (query, status) => {
    expect((await ask('subscription.history', query))[0]).toBe(status);
  });
});
