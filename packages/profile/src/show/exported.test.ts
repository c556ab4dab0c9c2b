import { fold } from '../fold/fold.ts';
import { type Consent, listNames, newProfile, type Profile } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';
import { type ExportedField, exportedFields } from './exported.ts';

const at = 1_763_000_000_000_001;

const person = (changes: readonly ProfileChange[], from = newProfile('00ff', 'demo', at - 1)): Profile =>
  fold(from, changes, at, 0).profile;

/** All fields that are there. */
const visible = (profile: Profile, consents?: readonly Consent[]): Record<string, unknown> => {
  const seen = { profile, ...(consents && { consents }) };
  const all = Object.entries<ExportedField>(exportedFields).map(([name, { shows }]) => [name, shows(seen)]);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
};

const shown = (...changes: ProfileChange[]) => visible(person(changes));

describe('the public form of a profile', () => {
  const profile = person(
    [
      { kind: 'field', name: 'first_name', value: 'Ada' },
      { kind: 'field', name: 'last_name', value: null },
      { kind: 'set', name: '__proto__', value: 'only a name' },
      { kind: 'set', name: 'gone', value: null },
      { kind: 'step', name: 'visits', step: { inc: 2 } },
    ],
    {
      ...newProfile('00ff', 'demo', 1_763_000_000_000_000),
      external_id: 'ada',
      aliases: [{ label: 'crm', name: '7' }],
    },
  );
  const seen = visible(profile);

  it('holds identifiers, fields and custom attributes by their names', () => {
    expect(seen).toMatchObject({
      service_id: '00ff',
      external_id: 'ada',
      user_aliases: [{ alias_name: '7', alias_label: 'crm' }],
      first_name: 'Ada',
      created_at: '2025-11-13T02:13:20.000Z',
    });
    expect(JSON.stringify(seen.custom_attributes)).toBe('{"__proto__":"only a name","visits":2}');
  });

  it('holds no removed value', () => {
    expect(seen).not.toHaveProperty('last_name');
    expect(seen.custom_attributes).not.toHaveProperty('gone');
  });

  it('holds no value that was never sent', () => {
    const bare = visible(newProfile('00ff', 'demo', at));
    const none = ['custom_events', 'purchases', 'subscription_groups', 'user_aliases', ...listNames];
    expect(bare).toEqual({
      ...Object.fromEntries(none.map((name) => [name, []])),
      ...{ custom_attributes: {}, total_revenue: 0 },
      ...{ service_id: '00ff', created_at: '2025-11-13T02:13:20.000Z', random_bucket: expect.any(Number) },
    });
  });

  it('shows a location as longitude and latitude', () => {
    const value = { latitude: 48.2, longitude: 16.4 };
    const there = shown({ kind: 'field', name: 'current_location', value });
    expect(there.last_coordinates).toEqual([16.4, 48.2]);
    expect(there).not.toHaveProperty('current_location');
    expect(shown({ kind: 'field', name: 'current_location', value: null })).not.toHaveProperty(
      'last_coordinates',
    );
  });

  it('shows other fields of the profile under their names', () => {
    const fields = shown(
      { kind: 'field', name: 'twitter', value: { id: 7 } },
      { kind: 'field', name: 'email_open_tracking_disabled', value: false },
    );
    expect(fields).toEqual({ ...shown(), twitter: { id: 7 }, email_open_tracking_disabled: false });
  });
});

describe('the public form of the lists of a profile', () => {
  const cards = (k: string): ProfileChange => ({
    kind: 'list',
    name: 'cards_clicked',
    items: [{ k, v: { name: k } }],
  });

  it('come in the order of their stamps, ties by key', () => {
    const first = fold(newProfile('p', 'demo', at), [cards('z')], at, 0).profile;
    const second = fold(first, [cards('b'), cards('a')], at + 5, 0).profile;
    const again = fold(second, [cards('y')], at - 5, 0).profile;
    expect(visible(again).cards_clicked).toEqual([
      { name: 'y' },
      { name: 'z' },
      { name: 'a' },
      { name: 'b' },
    ]);
  });

  it('may be empty', () => {
    expect(shown({ kind: 'list', name: 'apps', items: null }).apps).toEqual([]);
  });

  it('show the sessions of an app as a text, also when they were sent as a number', () => {
    const items = [3, '4', null].map((sessions, n) => ({ k: `${n}`, v: { name: `${n}`, sessions } }));
    const { apps } = shown({ kind: 'list', name: 'apps', items });
    expect(apps).toMatchObject(['3', '4', null].map((sessions) => ({ sessions })));
  });

  it('call the app of a push token app', () => {
    const v = { app_id: 'shop', token: 't', device_id: 'd', notifications_enabled: true };
    expect(shown({ kind: 'list', name: 'push_tokens', items: [{ k: '1', v }] }).push_tokens).toEqual([
      { app: 'shop', token: 't', device_id: 'd', notifications_enabled: true },
    ]);
  });
});

describe('the public form of consent', () => {
  const said: ProfileChange[] = [
    { kind: 'consent', k: 'email', v: 'opted_in' },
    { kind: 'consent', k: 'push', v: 'opted_in' },
    { kind: 'consent', k: 'group:z', v: 'subscribed' },
    { kind: 'consent', k: 'group:a', v: 'unsubscribed' },
    { kind: 'consent', k: 'group:gone', v: null },
  ];
  const since = '2025-11-13T02:13:20.000Z';

  it('has states, and groups since when', () => {
    expect(shown(...said)).toMatchObject({
      email_subscribe: 'opted_in',
      push_subscribe: 'opted_in',
      push_opted_in_at: since,
      subscription_groups: [
        { id: 'a', state: 'unsubscribed', since },
        { id: 'z', state: 'subscribed', since },
      ],
    });
  });

  it('shows the states that it is given', () => {
    const effective = [{ k: 'email', v: 'unsubscribed' as const, at: at + 1 }];
    expect(visible(person(said), effective)).toMatchObject({
      email_subscribe: 'unsubscribed',
      subscription_groups: [],
    });
    expect(visible(person(said), effective)).not.toHaveProperty('push_subscribe');
  });

  const time = (value: string | null): ProfileChange => ({ kind: 'field', name: 'push_opted_in_at', value });
  const push = (v: 'opted_in' | 'unsubscribed'): ProfileChange => ({ kind: 'consent', k: 'push', v });

  it.each<[string, ProfileChange[], ProfileChange[], string | undefined]>([
    ['an explicit time', [], [time('2020')], '2020'],
    ['an explicit time with the consent', [], [push('opted_in'), time('2020')], '2020'],
    ['the consent, when it is newer', [time('2020')], [push('opted_in')], since],
    ['nothing, when consent was withdrawn', [time('2020')], [push('unsubscribed')], undefined],
    ['nothing, when the time was removed', [push('opted_in')], [time(null)], undefined],
  ])('tells when push was opted in: %s', (_, before, after, shown) => {
    const old = fold(newProfile('p', 'demo', at), before, at - 1_000_000, 0).profile;
    expect(visible(person(after, old)).push_opted_in_at).toBe(shown);
  });
});
