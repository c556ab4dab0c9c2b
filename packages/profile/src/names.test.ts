import { namesIn, namesOf } from './names.ts';

const seenIn = (value: unknown, wanted: readonly string[]): string[] => {
  const seen = new Set<string>();
  namesIn(value, new Map(wanted.map((name) => [name, true])), (name) => seen.add(name));
  return [...seen];
};

const ada = {
  _id: 's-1',
  external_id: 'Ada',
  former_ids: ['ada-before'],
  aliases: [{ label: 'crm', name: 'c-7' }],
  absorbed: ['s-0'],
  email_key: 'ada@b.co',
  phone_key: '+14155550123',
  token_keys: ['5:app-1:tok:en'],
  contacts: [{ v: 'old@b.co' }, { v: null }],
};

describe('the names of a person', () => {
  it.each([
    ['external id', { external_id: 'Ada' }],
    ['external id before a rename', { attributes: [{ external_id: 'ada-before' }] }],
    ['alias', { user_alias: { alias_label: 'crm', alias_name: 'c-7' } }],
    ['service id', { service_ids: ['s-1'] }],
    ['service id of a person merged into it', { service_id: 's-0' }],
    ['email, written in another way', [{ email: ' ADA@b.co ' }]],
    ['former email', { emails: { a: ['old@b.co'] } }],
    ['phone, written in another way', { phones: ['(415) 555-0123'] }],
    ['push token', { push_tokens: [{ app_id: 'app-1', token: 'tok:en' }] }],
  ])('are seen in a body with their %s', (_, body) => {
    expect(seenIn(body, namesOf(ada))).toHaveLength(1);
  });

  it('are not seen in a body about somebody else', () => {
    const body = {
      events: [{ external_id: 'bob', email: 'bob@b.co', phone: '+14155550199', n: 5, ok: true, none: null }],
    };
    expect(seenIn(body, namesOf(ada))).toEqual([]);
  });

  it('are seen where they were sent as a number', () => {
    expect(seenIn({ external_id: 42 }, namesOf({ _id: 's', external_id: '42' }))).toHaveLength(1);
  });
});
