import { type OperationOf, operationOf } from '@roster/contract';
import { createLateJudge } from '../judge.ts';
import { readQuery } from '../query.ts';
import { aJudgeSettings } from '../test-settings.ts';

const subscriptionStatusSet = operationOf('subscription.status.set');
const subscriptionStatusSetV2 = operationOf('subscription.status.set.v2');
const judge = createLateJudge();
const settings = aJudgeSettings();

const many = (count: number, of: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => of(n));

const first = (body: object) => {
  const whole = { subscription_group_id: 'news', subscription_state: 'subscribed', ...body };
  return judge(subscriptionStatusSet, { body: whole }, settings);
};
const second = (...groups: object[]) => {
  const subscription_groups = groups.map((group) => ({
    subscription_group_id: 'news',
    subscription_state: 'subscribed',
    ...group,
  }));
  return judge(subscriptionStatusSetV2, { body: { subscription_groups } }, settings);
};

const told = (verdict: ReturnType<typeof first>) =>
  verdict.ok ? verdict.accepted.body : [verdict.rejection.status, verdict.rejection.message];

const group = (names: object, id = 'news') => ({
  subscription_groups: [{ subscription_group_id: id, subscription_state: 'subscribed', ...names }],
});

const bothSentence = 'Either an email address or a phone number should be provided, but not both.';
const idsSentence = 'The value provided for the external_ids field is not a valid ID array.';

describe('POST /subscription/status/set', () => {
  it.each<[string, object, object]>([
    ['one text where a list is documented', { external_id: 'ada' }, group({ external_ids: ['ada'] })],
    ['a list', { external_id: ['ada', 'bob'] }, group({ external_ids: ['ada', 'bob'] })],
    ['a number as its text', { external_id: [17, 'ada'] }, group({ external_ids: ['17', 'ada'] })],
    [
      'empty lists and null for what is not used',
      { external_id: 'ada', email: [], phone: null },
      group({ external_ids: ['ada'] }),
    ],
    [
      'external ids and emails together',
      { external_id: ['ada'], email: ' Bob@b.co ' },
      group({ external_ids: ['ada'], emails: ['Bob@b.co'] }),
    ],
    [
      'a phone for an SMS group',
      { subscription_group_id: 'alerts', phone: '+15005550006', use_double_opt_in_logic: true },
      group({ phones: ['+15005550006'] }, 'alerts'),
    ],
    [
      'external ids for an SMS group',
      { subscription_group_id: 'alerts', external_id: 'ada' },
      group({ external_ids: ['ada'] }, 'alerts'),
    ],
    ['50 names', { email: many(50, (n) => `${n}@b.co`) }, group({ emails: many(50, (n) => `${n}@b.co`) })],
  ])('takes %s', (_, body, accepted) => {
    expect(told(first(body))).toEqual(accepted);
  });

  it.each<[string, object, string]>([
    ['an unknown group', { subscription_group_id: 'x', external_id: 'a' }, 'Invalid subscription group ID'],
    ['emails and phones', { email: 'a@b.co', phone: '+15005550006' }, bothSentence],
    ['a blank id', { external_id: ['ada', ' '] }, idsSentence],
    ['null among ids', { external_id: [null] }, idsSentence],
    ['a dictionary of ids', { external_id: { a: 1 } }, idsSentence],
    ['no person', {}, "one of 'external_id', 'email' or 'phone' is required"],
    ['no person in empty lists', { external_id: [] }, "one of 'external_id', 'email' or 'phone' is required"],
    [
      'an email for an SMS group',
      { subscription_group_id: 'alerts', email: 'a@b.co' },
      "An SMS subscription group takes 'external_id' or 'phone'",
    ],
    [
      'a phone for an email group',
      { phone: '+15005550006' },
      "An email subscription group takes 'email' or 'external_id'",
    ],
    ['what is no email', { email: ['a@b.co', 'nope'] }, 'email[1] is not a valid email address'],
    [
      'ten digits',
      { subscription_group_id: 'alerts', phone: ['5005550006'] },
      'phone[0] is not in the E.164 format',
    ],
    [
      '51 names',
      { external_id: many(51, String) },
      'A single request may not name more than 50 external ids, emails or phones',
    ],
    [
      'another state',
      { subscription_state: 'opted_in', external_id: 'a' },
      "subscription_state must be one of 'subscribed', 'unsubscribed'",
    ],
    ['no state', { subscription_state: undefined, external_id: 'a' }, "'subscription_state' is required"],
  ])('refuses %s', (_, body, message) => {
    expect(told(first(body))).toEqual([400, message]);
  });
});

describe('POST /v2/subscription/status/set', () => {
  it('takes several groups, and counts their names', () => {
    const verdict = second(
      { external_ids: ['ada', 'bob'], emails: 'eve@b.co' },
      { subscription_group_id: 'alerts', phones: ['+15005550006'] },
    );
    expect(verdict).toMatchObject({ ok: true, entries: 4 });
  });

  it.each<[string, object[], string]>([
    [
      'more than 50 groups',
      Array.from({ length: 51 }, () => ({ external_ids: ['a'] })),
      "'subscription_groups' must not hold more than 50 elements",
    ],
    ['emails and phones in one object', [{ emails: ['a@b.co'], phones: ['+15005550006'] }], bothSentence],
    ['null for ids', [{ external_ids: ['a'] }, { external_ids: [null] }], idsSentence],
    [
      'an unknown group anywhere',
      [{ external_ids: ['a'] }, { subscription_group_id: 'x', external_ids: ['a'] }],
      'Invalid subscription group ID',
    ],
    [
      'no person',
      [{ external_ids: ['a'] }, {}],
      "subscription_groups[1]: one of 'external_ids', 'emails' or 'phones' is required",
    ],
    [
      'what is no email',
      [{ emails: ['nope'] }],
      'subscription_groups[0].emails[0] is not a valid email address',
    ],
    ['no groups', [], 'subscription_groups must hold at least 1 elements'],
  ])('refuses %s', (_, groups, message) => {
    expect(told(second(...groups))).toEqual([400, message]);
  });

  it.each([[{ subscription_groups: {} }], [{ subscription_groups: ['a'] }], [{}], [[]]])(
    'refuses %j',
    (body) => {
      const verdict = judge(subscriptionStatusSetV2, { body }, settings);
      expect(verdict.ok ? 201 : verdict.rejection.status).toBe(400);
    },
  );
});

const declared = ({ id, request: { query } }: OperationOf<string>) => {
  if (!query) throw new Error(`${id} takes no query`);
  return query;
};

describe('what stands behind the question mark', () => {
  const asked = (search: string) => readQuery(declared(operationOf('subscription.user.status')), search);

  it.each([
    ['external_id=a&external_id=b', { external_id: ['a', 'b'] }],
    ['external_id[]=a&external_id%5B%5D=b', { external_id: ['a', 'b'] }],
    ['external_id=a+b', { external_id: ['a b'] }],
    ['limit=10&offset=5', { limit: 10, offset: 5 }],
    ['limit=ten', { limit: 'ten' }],
    ['__proto__=x', JSON.parse('{"__proto__":"x"}')],
    ['', {}],
  ])('%s', (search, expected) => {
    expect(asked(search)).toEqual(expected);
  });

  it.each([
    ['subscription_group_id=news&external_id=a', true],
    ['external_id=a', false],
    ['subscription_group_id=news&external_id=', false],
    [`subscription_group_id=news&${many(50, (n) => `email=${n}`).join('&')}`, true],
    [`subscription_group_id=news&${many(51, (n) => `email=${n}`).join('&')}`, false],
  ])('%s is taken: %p', (search, ok) => {
    const query = readQuery(declared(operationOf('subscription.status.get')), search);
    expect(judge(operationOf('subscription.status.get'), { query }, settings).ok).toBe(ok);
  });

  it.each([
    ['limit=100', true],
    ['limit=101', false],
    ['limit=ten', false],
    ['limit=-1', false],
  ])('of the history %s is taken: %p', (search, ok) => {
    const query = readQuery(declared(operationOf('subscription.history')), `external_id=a&${search}`);
    expect(judge(operationOf('subscription.history'), { query }, settings).ok).toBe(ok);
  });
});
