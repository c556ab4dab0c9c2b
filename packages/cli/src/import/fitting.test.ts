/** People as the public documentation of the hosted export shows them, and what else may be in such a file. */
import { documentedPerson } from '@roster/testkit';
import type { JsonObject } from '../json.ts';
import { entriesOfExportedUser } from './exported-user.ts';
import { type AppIds, fitted } from './fitting.ts';
import { exactJson } from './json-line.ts';

/** What is sent of a person, and the names of what stays behind. */
const imported = (user: JsonObject, apps?: AppIds) => {
  const fit = fitted(user, apps);
  const { entries, leftOut, names } = entriesOfExportedUser(fit.user);
  return { entries, names, lost: [...fit.leftOut, ...leftOut] };
};

const ada = { external_id: 'ada' };
const long = 'x'.repeat(256);
const manyElements = Array.from({ length: 501 }, (_, n) => n);

describe('a person of the hosted export', () => {
  it('keeps all that has a place here, and tells the rest', () => {
    const { entries, lost } = imported(documentedPerson);
    const told = ['braze_id', 'random_bucket', 'created_at', 'created_from', 'total_revenue'];
    expect(lost.map(({ name }) => name).sort()).toEqual([...told, 'custom_events', 'purchases'].sort());
    const { custom_attributes, devices } = documentedPerson;
    expect(Object.assign({}, ...entries)).toMatchObject({
      ...custom_attributes,
      first_name: 'Jane',
      time_zone: 'Eastern Time (US & Canada)',
      push_tokens: documentedPerson.push_tokens,
      devices: [devices[0], { ...devices[1], device_id: devices[1]?.idfv }],
      uninstalled_at: '2022-07-10 15:00:00.000 UTC',
    });
  });

  it.each<[string, JsonObject, JsonObject[]]>([
    ['an email alone', { braze_id: 'b', email: 'a@example.com' }, [{ email: 'a@example.com' }]],
    ['a phone alone', { braze_id: 'b', phone: '+12025550123' }, [{ phone: '+12025550123' }]],
    [
      'an alias alone, without a list',
      { user_aliases: { alias_name: 'a', alias_label: 'crm' } },
      [{ user_alias: { alias_name: 'a', alias_label: 'crm' }, _update_existing_only: false }],
    ],
    [
      'an external id that is empty',
      { external_id: '', email: 'a@example.com' },
      [{ email: 'a@example.com' }],
    ],
    ['an email that is none', { email: 'nonsense', phone: '+12025550123' }, [{ phone: '+12025550123' }]],
    [
      'an alias that is too long',
      { user_aliases: [{ alias_name: long, alias_label: 'crm' }], email: 'a@example.com' },
      [{ email: 'a@example.com' }],
    ],
    ['nothing that names them', { braze_id: 'b', devices: [{ device_id: 'd' }] }, []],
  ])('comes in with %s', (_, user, entries) => {
    expect(imported(user).entries).toEqual(entries);
  });

  it.each<[string, JsonObject, string?]>([
    ['gender', { gender: 'female' }],
    ['dob', { dob: '1980-00-00' }],
    ['email_subscribe', { email_subscribe: 'maybe' }],
    ['time_zone', { time_zone: 'Mars/Olympus' }],
    ['language', { language: 'klingon' }],
    ['country', { country: 'Atlantis' }],
    ['home_city', { home_city: long }],
    ['last_coordinates', { last_coordinates: [200, 100] }],
    ['uninstalled_at', { uninstalled_at: 'long ago' }],
    ['devices', { devices: [{ model: 'nameless' }] }],
    ['devices', { devices: { model: 'no list' } }],
    ['apps', { apps: [{ platform: 'iOS' }] }],
    ['push_tokens', { push_tokens: [{ app: 'Shop', token: null }] }],
    ['campaigns_received', { campaigns_received: [{ name: 'c', engaged: 'yes' }] }],
    ['user_aliases', { user_aliases: [{ alias_name: 'a' }] }],
    ['email', { email: 'nonsense' }],
    ['phone', { phone: '12' }],
    ['score_of_tomorrow', { score_of_tomorrow: 1 }],
    ['custom_attributes.bio', { custom_attributes: { bio: long } }],
    ['custom_attributes.$set', { custom_attributes: { $set: 1 } }],
    [`custom_attributes.${long}`, { custom_attributes: { [long]: 1 } }],
    ['custom_attributes.', { custom_attributes: { '': 1 } }],
    ['custom_attributes.list', { custom_attributes: { list: ['a', null] } }],
    ['custom_attributes.list', { custom_attributes: { list: [['a']] } }],
    ['custom_attributes.list', { custom_attributes: { list: ['a', { b: 1 }] } }],
    ['custom_attributes.many', { custom_attributes: { many: manyElements } }],
    ['custom_attributes.home', { custom_attributes: { home: { 'zip code': 1 } } }],
    ['custom_attributes.home', { custom_attributes: { home: { street: null } } }],
    ['custom_attributes.home', { custom_attributes: { home: { add: ['a'] } } }],
    ['custom_attributes.visits', { custom_attributes: { visits: { inc: 1 } } }],
    ['custom_attributes.devices', { custom_attributes: { devices: 3 } }],
    ['custom_attributes.gender', { custom_attributes: { gender: 'female' } }],
    ['custom_attributes.push_token_import', { custom_attributes: { push_token_import: true } }],
    ['custom_attributes.email_subscription_info', { custom_attributes: { email_subscription_info: 1 } }],
  ])('loses %s, and nothing else', (name, user) => {
    const { custom_attributes: some = {}, ...rest } = user;
    const custom_attributes = { plan: 'pro', ...Object(some) };
    const { entries, lost } = imported({ ...ada, first_name: 'Ada', ...rest, custom_attributes });
    expect(entries.map((entry) => JSON.stringify(entry))).toEqual([
      expect.stringMatching(/^\{"external_id":"ada","first_name":"Ada",.*"plan":"pro"\}$/),
    ]);
    expect(lost.map((one) => one.name)).toEqual([name]);
    expect(lost[0]?.reason).toMatch(/\w/);
    expect(JSON.stringify(lost[0]?.reason)).not.toContain(long);
  });

  it.each<[string, JsonObject]>([
    ['odd names', { 'a.b': 1, 'with space': 2, a$b: 3, created_at: '2020-01-01', custom_events: 4 }],
    ['empty texts, lists and objects', { text: '', list: [], home: {} }],
    [
      'nested objects and lists of them',
      { home: { at: { zip: '1' } }, pets: [{ name: 'Rex' }, { name: 'Ben' }] },
    ],
    ['numbers as texts', { points: '321', id: '00123' }],
  ])('keeps %s', (_, custom_attributes) => {
    const { entries, lost } = imported({ ...ada, custom_attributes });
    expect([entries, lost]).toEqual([[{ ...ada, ...custom_attributes }], []]);
  });

  it('keeps whole numbers of 64 bits, and tells longer ones', () => {
    const custom =
      '{"external_id":"ada","custom_attributes":{"id":9007199254740993,"longer":99999999999999999999}}';
    const { entries, lost } = imported(exactJson(custom) as JsonObject);
    expect(entries).toEqual([{ ...ada, id: 9007199254740993n }]);
    expect(lost).toMatchObject([{ name: 'custom_attributes.longer' }]);
  });

  it('loses the bad items of a list, and keeps the others', () => {
    const devices = [{ device_id: 'one' }, { model: 'nameless' }, { device_id: 'two' }];
    const { entries, lost } = imported({ ...ada, devices });
    expect(entries).toEqual([{ ...ada, devices: [devices[0], devices[2]] }]);
    expect(lost).toEqual([{ name: 'devices', reason: expect.stringMatching(/device_id.*required/) }]);
  });

  it('has push tokens of the apps that --app names', () => {
    const token = (app: string) => ({ app, platform: 'iOS', token: 't' });
    const { entries } = imported(
      { ...ada, push_tokens: [token('Shop iOS'), token('Other')] },
      { 'Shop iOS': 'shop-ios' },
    );
    expect(entries).toEqual([{ ...ada, push_tokens: [token('shop-ios'), token('Other')] }]);
  });
});
