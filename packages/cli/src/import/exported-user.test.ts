import fc from 'fast-check';
import type { JsonObject } from '../json.ts';
import { entriesOfExportedUser } from './exported-user.ts';

const entryOf = (user: JsonObject) => entriesOfExportedUser(user).entries[0];
const lostOf = (user: JsonObject) => entriesOfExportedUser(user).leftOut.map(({ name }) => name);
const alias = { alias_name: 'a', alias_label: 'crm' };

describe('an exported user', () => {
  it.each<[string, JsonObject, JsonObject?]>([
    ['external id', { external_id: 'ada', email: 'a@example.com' }],
    [
      'alias',
      { user_aliases: [alias], phone: '+12025550123' },
      { user_alias: alias, _update_existing_only: false, phone: '+12025550123' },
    ],
    ['email', { email: 'a@example.com', phone: '+12025550123' }],
    ['phone', { phone: '+12025550123' }],
    [
      'push tokens alone',
      { push_tokens: [{ app: 'web', token: 't' }] },
      { push_token_import: true, push_tokens: [{ app: 'web', token: 't' }] },
    ],
  ])('is named by their %s', (_, user, entry = user) => {
    expect(entryOf(user)).toEqual(entry);
  });

  it.each<[string, JsonObject, JsonObject?]>([
    ['plain fields', { first_name: 'Ada', dob: '1815-12-10', email_subscribe: 'opted_in' }],
    [
      'custom attributes',
      { custom_attributes: { plan: 'pro', tags: ['a'], none: [], at: { b: 1 } } },
      { plan: 'pro', tags: ['a'], none: [], at: { b: 1 } },
    ],
    ['coordinates', { last_coordinates: [13.4, 52.5] }],
    [
      'groups',
      { subscription_groups: [{ id: 'news', state: 'subscribed', name: 'News', channel: 'email' }] },
      { subscription_groups: [{ id: 'news', state: 'subscribed' }] },
    ],
    [
      'push tokens',
      {
        push_tokens: [
          { app: 'web', platform: 'web', token: 't', device_id: 'd', notifications_enabled: true },
        ],
      },
    ],
    ['devices and apps', { devices: [{ device_id: 'd' }], apps: [{ name: 'Web' }] }],
    [
      'what is not there',
      { first_name: null, custom_attributes: { a: null }, devices: [], last_coordinates: [] },
      {},
    ],
  ])('keeps %s', (_, user, fields = user) => {
    expect(entryOf({ external_id: 'ada', ...user })).toEqual({ external_id: 'ada', ...fields });
  });

  it.each<[string, JsonObject]>([
    ['service_id', { service_id: 's' }],
    ['random_bucket', { random_bucket: 0 }],
    ['created_at', { created_at: '2026-01-01T00:00:00.000Z' }],
    ['custom_events', { custom_events: [{ name: 'opened', count: 2 }] }],
    ['purchases', { purchases: [{ name: 'tea', count: 1 }] }],
    ['total_revenue', { total_revenue: 4.5 }],
    [
      'subscription_groups.since',
      { subscription_groups: [{ id: 'news', state: 'subscribed', since: '2026' }] },
    ],
    ['custom_attributes.email', { custom_attributes: { email: 'x' } }],
    ['custom_attributes.first_name', { first_name: 'Ada', custom_attributes: { first_name: 'x' } }],
  ])('says that %s stays behind', (name, user) => {
    const { entries } = entriesOfExportedUser({ external_id: 'ada', ...user });
    expect(lostOf({ external_id: 'ada', ...user })).toEqual([name]);
    expect(JSON.stringify(entries)).not.toContain('"x"');
  });

  it('says so only of what is there', () => {
    expect(lostOf({ external_id: 'ada', service_id: null, custom_events: [], user_aliases: [] })).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject[]]>([
    [
      'all aliases beside an external id',
      { external_id: 'ada', user_aliases: [alias] },
      [{ external_id: 'ada', ...alias }],
    ],
    ['no alias that names the person already', { user_aliases: [alias] }, []],
    [
      'a second alias of a person named by the first one',
      { user_aliases: [alias, { alias_name: 'b', alias_label: 'web' }] },
      [{ user_alias: alias, alias_name: 'b', alias_label: 'web' }],
    ],
    [
      'former external ids, before aliases',
      { external_id: 'ada', former_external_ids: ['a', 'b'], user_aliases: [alias] },
      [
        { external_id: 'ada', former_external_ids: ['a', 'b'] },
        { external_id: 'ada', ...alias },
      ],
    ],
    ['nothing of what is not there', { external_id: 'ada', former_external_ids: [], user_aliases: null }, []],
  ])('has as further names %s', (_, user, names) => {
    const found = entriesOfExportedUser(user);
    expect(found.names.map(({ value }) => value)).toEqual(names);
    expect(found.leftOut).toEqual([]);
    expect(JSON.stringify(found.entries)).not.toContain('user_aliases');
    expect(JSON.stringify(found.entries)).not.toContain('former_external_ids');
  });

  it('is given their email after what was said, which is then not said of the email', () => {
    const said = {
      email_subscribe: 'unsubscribed',
      subscription_groups: [{ id: 'news', state: 'subscribed' }],
    };
    const { entries } = entriesOfExportedUser({ external_id: 'ada', email: 'a@example.com', ...said });
    expect(entries).toEqual([
      {
        external_id: 'ada',
        email_subscribe: 'unsubscribed',
        subscription_groups: [{ id: 'news', state: 'subscribed' }],
      },
      { external_id: 'ada', email: 'a@example.com' },
    ]);
    expect(entriesOfExportedUser({ email: 'a@example.com', ...said }).entries).toHaveLength(1);
  });

  it('with very many attributes becomes several entries', () => {
    const custom = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`a${i}`, i]));
    const { entries } = entriesOfExportedUser({
      external_id: 'ada',
      first_name: 'Ada',
      custom_attributes: custom,
    });
    expect(entries.map((entry) => Object.keys(entry).length)).toEqual([902, 901, 201]);
    expect(Object.assign({}, ...entries)).toEqual({ external_id: 'ada', first_name: 'Ada', ...custom });
  });

  it('with very long lists becomes several entries, and the email comes after all that was said', () => {
    const long = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `${n}` }));
    const groups = Array.from({ length: 501 }, (_, n) => ({ id: `${n}`, state: 'subscribed' }));
    const { entries } = entriesOfExportedUser({
      external_id: 'ada',
      email: 'a@example.com',
      cards_clicked: long(1001),
      apps: long(500),
      subscription_groups: groups,
      custom_attributes: Object.fromEntries(Array.from({ length: 901 }, (_, n) => [`a${n}`, n])),
    });
    const sizes = (name: string) =>
      entries.map((entry) => (Array.isArray(entry[name]) ? entry[name].length : 0));
    expect(sizes('cards_clicked')).toEqual([500, 500, 1, 0]);
    expect(sizes('apps')).toEqual([500, 0, 0, 0]);
    expect(sizes('subscription_groups')).toEqual([500, 1, 0, 0]);
    expect(entries.map((entry) => ['a0' in entry, 'a900' in entry])).toEqual([
      [true, false],
      [false, true],
      [false, false],
      [false, false],
    ]);
    expect(entries.at(-1)).toEqual({ external_id: 'ada', email: 'a@example.com' });
    for (const entry of entries) expect(entry.external_id).toBe('ada');
  });

  it.each([
    [{ push_subscribe: 'opted_in' }, { push_subscribe: 'opted_in', push_opted_in_at: null }],
    [
      { push_subscribe: 'opted_in', push_opted_in_at: 'x' },
      { push_subscribe: 'opted_in', push_opted_in_at: 'x' },
    ],
    [{ push_subscribe: 'subscribed' }, { push_subscribe: 'subscribed' }],
  ])('has opted in to push at the time that is known, not at that of the import: %j', (user, fields) => {
    expect(entryOf({ external_id: 'ada', ...user })).toEqual({ external_id: 'ada', ...fields });
  });

  it('keeps every custom attribute, whatever its name', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('__proto__', 'constructor', 'a.b', 'toString', '0'),
    );
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(fc.string(), fc.integer(), fc.boolean())), (custom) => {
        const { entries, leftOut } = entriesOfExportedUser({ external_id: 'ada', custom_attributes: custom });
        const lost = leftOut.map((field) => field.name.replace('custom_attributes.', ''));
        const kept = Object.entries(custom).filter(([key]) => !lost.includes(key));
        expect(Object.entries(entries[0] ?? {}).sort()).toEqual([['external_id', 'ada'], ...kept].sort());
      }),
    );
  });
});
