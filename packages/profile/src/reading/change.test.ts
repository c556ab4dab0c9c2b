import fc from 'fast-check';
import { fold } from '../fold/fold.ts';
import type { Note } from '../note.ts';
import { newProfile, type Value } from '../profile.ts';
import { exportedFields, shownAttributes } from '../show/exported.ts';
import { type AttributeEntry, changesOf, type ProfileChange } from './change.ts';
import type { AttributeSettings, Reading } from './reading.ts';

/** Understands dates of this millennium, one country, one zone and one language. */
const read: Reading = {
  time: (text) => (/^2\d{3}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00.000Z` : undefined),
  country: (text) => (text === 'Australia' || text === 'AU' ? 'AU' : undefined),
  timeZone: (text) => (text === 'Vienna' ? 'Europe/Vienna' : undefined),
  language: (text) => (text.toLowerCase() === 'en' ? 'en' : undefined),
};
const settings: AttributeSettings = {
  blockedAttributes: new Set(['secret']),
  mostElements: 3,
  mostProfileBytes: 1_000_000,
};

const changed = (entry: AttributeEntry, by = 'external_id') => changesOf(entry, { by }, read, settings);

const field = (name: string, value: Value): ProfileChange =>
  ({ kind: 'field', name, value }) as ProfileChange;
const set = (name: string, value: Value): ProfileChange => ({ kind: 'set', name, value });
const nothing: ProfileChange[] = [];

type Row = [what: string, entry: AttributeEntry, changes: ProfileChange[], reason?: Note['reason']];

const holds = (rows: Row[]) => {
  for (const [what, entry, changes, reason] of rows) {
    it(what, () => {
      const sent = Object.keys(entry).find((name) => name !== '_merge_objects');
      expect(changed({ external_id: 'ada', ...entry })).toEqual({
        changes,
        notes: reason ? [{ field: sent, reason }] : [],
      });
    });
  }
};

describe('members that name the person or steer the request', () => {
  it('change nothing', () => {
    const user_alias = { alias_label: 'crm', alias_name: '7' };
    expect(
      changed({
        external_id: 'ada',
        user_alias,
        service_id: 's',
        _update_existing_only: true,
        _merge_objects: true,
        push_token_import: false,
      }),
    ).toEqual({ changes: [], notes: [] });
  });

  it('change email or phone only when another identifier names the person', () => {
    const entry = { email: 'a@b.co', phone: '+15005550006' };
    expect(changed(entry, 'email').changes).toEqual([field('phone', '+15005550006')]);
    expect(changed(entry, 'phone').changes).toEqual([field('email', 'a@b.co')]);
    expect(changed(entry, 'external_id').changes).toEqual([
      field('email', 'a@b.co'),
      field('phone', '+15005550006'),
    ]);
  });
});

describe('a field', () => {
  holds([
    ['is taken as it is', { first_name: 'Ada ' }, [field('first_name', 'Ada ')]],
    ['is removed by null', { country: null }, [field('country', null)]],
    ['removes a place', { current_location: null }, [field('current_location', null)]],
    ['is a country by its code', { country: 'Australia' }, [field('country', 'AU')]],
    ['is no country', { country: 'Atlantis' }, [field('country', null)], 'unknown_country'],
    ['is a time zone', { time_zone: 'Vienna' }, [field('time_zone', 'Europe/Vienna')]],
    ['is no time zone', { time_zone: 'Mars' }, nothing, 'unknown_time_zone'],
    ['is a language', { language: 'EN' }, [field('language', 'en')]],
    ['is no language', { language: 'Klingon' }, nothing, 'unknown_language'],
    ['is a time', { uninstalled_at: '2021-01-31' }, [field('uninstalled_at', '2021-01-31T00:00:00.000Z')]],
    ['is no time', { push_opted_in_at: 'soon' }, nothing, 'unknown_time'],
    ['is a day', { dob: '1984-02-29' }, [field('dob', '1984-02-29')]],
    ['is no day', { dob: 'long ago' }, nothing, 'unknown_time'],
    [
      'is a place',
      { current_location: { longitude: 16.4, latitude: 48.2 } },
      [field('current_location', { longitude: 16.4, latitude: 48.2 })],
    ],
    [
      'is a place as it is exported',
      { last_coordinates: [16.4, 48.2] },
      [field('current_location', { longitude: 16.4, latitude: 48.2 })],
    ],
    ['removes a place as it is exported', { last_coordinates: null }, [field('current_location', null)]],
    ['is no place', { current_location: { longitude: 16.4 } }, nothing, 'wrong_type'],
    ['is no place as it is exported', { last_coordinates: [16.4] }, nothing, 'wrong_type'],
    [
      'is an account, as it was sent',
      { facebook: { id: '1', likes: ['tea'], num_friends: 2 } },
      [field('facebook', { id: '1', likes: ['tea'], num_friends: 2 })],
    ],
    [
      'is an account, its known members',
      { twitter: { id: 1, screen_name: 'ada', mood: 'good' } },
      [field('twitter', { id: 1, screen_name: 'ada' })],
      'unknown_member',
    ],
  ]);
});

describe('a list', () => {
  const list = (name: string, ...items: { k: string; v: { [name: string]: Value } }[]): ProfileChange =>
    ({ kind: 'list', name, items }) as ProfileChange;

  holds([
    ['is removed by null', { devices: null }, [{ kind: 'list', name: 'devices', items: null }]],
    ['without items changes nothing', { devices: [] }, nothing],
    ['that is no array', { devices: {} }, nothing, 'wrong_type'],
    ['of what is no object', { devices: ['d'] }, nothing, 'wrong_type'],
    ['of items without a key', { devices: [{ model: 'x' }] }, nothing, 'no_key'],
    [
      'of push tokens as they are exported',
      { push_tokens: [{ app: 'shop', platform: 'x', token: 't', device_id: 'd' }] },
      [
        list('push_tokens', {
          k: '4:shop:t',
          v: { app_id: 'shop', platform: 'x', token: 't', device_id: 'd' },
        }),
      ],
    ],
  ]);

  it.each([
    ['devices by device_id', 'devices', [{ device_id: 'd', model: 'x' }], ['d']],
    ['push tokens by app and token', 'push_tokens', [{ app_id: 'shop', token: 't' }], ['4:shop:t']],
    [
      'apps by name and platform',
      'apps',
      [{ name: 'Shop', platform: 'x' }, { name: 'Shop' }],
      ['4:Shop:x', '4:Shop:'],
    ],
    [
      'campaigns by id, else by name',
      'campaigns_received',
      [{ api_campaign_id: '1', name: 'Spring' }, { name: 'Autumn' }],
      ['1', 'Autumn'],
    ],
    [
      'canvases by id, else by name',
      'canvases_received',
      [{ api_canvas_id: '1' }, { name: 'Autumn' }],
      ['1', 'Autumn'],
    ],
    ['cards by name', 'cards_clicked', [{ name: 'Hello' }], ['Hello']],
  ])('of %s', (_, name, items, keys) => {
    const expected = items.map((v, n) => ({ k: keys[n] ?? '', v }));
    expect(changed({ external_id: 'ada', [name]: items })).toEqual({
      changes: [list(name, ...expected)],
      notes: [],
    });
  });

  it('never takes two push tokens for one', () => {
    const { changes } = changed({
      push_tokens: [
        { app_id: 'a', token: 'b:c' },
        { app_id: 'a:b', token: 'c' },
      ],
    });
    expect(
      new Set(changes.flatMap((one) => (one.kind === 'list' ? one.items : [])).map((one) => one?.k)).size,
    ).toBe(2);
  });

  it('takes the good items of a list that has bad ones, and names each of these', () => {
    const { changes, notes } = changed({ cards_clicked: [{ name: 'a' }, { name: '' }, 7] });
    expect(changes).toEqual([list('cards_clicked', { k: 'a', v: { name: 'a' } })]);
    expect(notes.map(({ reason }) => reason)).toEqual(['no_key', 'wrong_type']);
  });
});

describe('consent', () => {
  holds([
    ['to email', { email_subscribe: 'opted_in' }, [{ kind: 'consent', k: 'email', v: 'opted_in' }]],
    ['to push', { push_subscribe: 'unsubscribed' }, [{ kind: 'consent', k: 'push', v: 'unsubscribed' }]],
    ['is removed by null', { email_subscribe: null }, [{ kind: 'consent', k: 'email', v: null }]],
    ['that is none', { email_subscribe: 'maybe' }, nothing, 'wrong_type'],
    [
      'to groups',
      {
        subscription_groups: [
          { subscription_group_id: '1', subscription_state: 'subscribed' },
          { subscription_group_id: '2', subscription_state: null },
        ],
      },
      [
        { kind: 'consent', k: 'group:1', v: 'subscribed' },
        { kind: 'consent', k: 'group:2', v: null },
      ],
    ],
    [
      'to groups that are none',
      { subscription_groups: [{ subscription_state: 'subscribed' }] },
      nothing,
      'wrong_type',
    ],
    ['to groups that are no array', { subscription_groups: null }, nothing, 'wrong_type'],
  ]);
});

describe('a custom attribute', () => {
  const step = (name: string, stepping: object): ProfileChange =>
    ({ kind: 'step', name, step: stepping }) as ProfileChange;

  holds([
    ['is a text', { colour: 'red' }, [set('colour', 'red')]],
    ['is a time', { since: '2021-12-01' }, [set('since', '2021-12-01T00:00:00.000Z')]],
    ['stays a text beyond the range of times', { since: '9021-12-01' }, [set('since', '9021-12-01')]],
    ['is a number', { n: 1.5 }, [set('n', 1.5)]],
    ['is a boolean', { b: false }, [set('b', false)]],
    ['is removed by null', { n: null }, [set('n', null)]],
    ['is blocked', { secret: 'x' }, nothing, 'blocked_attribute'],
    ['is an array, no times in it', { a: ['2021-12-01', 1] }, [set('a', ['2021-12-01', 1])]],
    ['is an array of unique values, the last one counts', { a: ['x', 'y', 'x'] }, [set('a', ['y', 'x'])]],
    ['is an array of the newest', { a: [1, 2, 3, 4] }, [set('a', [2, 3, 4])], 'array_full'],
    ['is an empty array', { a: [] }, [set('a', [])]],
    ['is incremented', { n: { inc: -2 } }, [step('n', { inc: -2 })]],
    ['is added to', { a: { add: ['x'] } }, [step('a', { add: ['x'], most: 3 })]],
    ['is removed from', { a: { remove: ['x'] } }, [step('a', { remove: ['x'] })]],
    [
      'is added to and removed from',
      { a: { add: ['x'], remove: ['y'] } },
      [step('a', { remove: ['y'], add: ['x'], most: 3 })],
    ],
    ['is a nested attribute', { o: { a: { b: [1] } } }, [set('o', { a: { b: [1] } })]],
    ['is an empty nested attribute', { o: {} }, [set('o', {})]],
    [
      'is a nested attribute that has inc beside others',
      { o: { inc: 1, a: 2 } },
      [set('o', { inc: 1, a: 2 })],
    ],
    ['is merged', { o: { a: 1 }, _merge_objects: true }, [step('o', { merge: { a: 1 } })]],
    [
      'has times inside',
      { o: { a: { $time: '2021-12-01' }, b: [{ $time: '2021-12-02' }], c: '2021-12-03' } },
      [set('o', { a: '2021-12-01T00:00:00.000Z', b: ['2021-12-02T00:00:00.000Z'], c: '2021-12-03' })],
    ],
    [
      'has no times out of range inside',
      { o: { a: { $time: '9021-12-01' }, b: 1 } },
      [set('o', { b: 1 })],
      'unknown_time',
    ],
    ['is an array of objects', { l: [{ id: 1 }, { id: 1 }] }, [set('l', [{ id: 1 }, { id: 1 }])]],
    [
      'is an array of objects even with _merge_objects',
      { l: [{ id: 1 }], _merge_objects: true },
      [set('l', [{ id: 1 }])],
    ],
    [
      'is an array of objects that is changed',
      {
        l: {
          $update: [
            { $identifier_key: 'id', $identifier_value: 1, $new_object: { at: { $time: '2021-12-01' } } },
          ],
          $remove: [{ $identifier_key: 'id', $identifier_value: 2 }],
          $add: [{ id: 3 }],
        },
      },
      [
        step('l', {
          objects: {
            add: [{ id: 3 }],
            remove: [{ key: 'id', value: 2 }],
            update: [{ key: 'id', value: 1, with: { at: '2021-12-01T00:00:00.000Z' } }],
          },
        }),
      ],
    ],
    [
      'is an array of objects that is merged into',
      {
        l: { $update: [{ $identifier_key: 'id', $identifier_value: 1, $new_object: { a: 1 } }] },
        _merge_objects: true,
      },
      [step('l', { objects: { update: [{ key: 'id', value: 1, with: { a: 1 } }], merge: true } })],
    ],
    ['is an order that is none', { l: { $remove: [{ id: 2 }] } }, nothing, 'wrong_type'],
  ]);
});

describe('names and values, as laws', () => {
  const oddNames = fc.oneof(
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'a.b',
      '0',
      '😀',
      ' ',
      'inc',
      '$time',
    ),
  );
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }).map((value) => value as Value);
  const anything = fc.oneof(
    json,
    fc.dictionary(
      fc.oneof(oddNames, fc.constantFrom('inc', 'add', 'remove', '$add', '$update', '$remove', '$time')),
      json,
      { noNullPrototype: true },
    ),
  ) as fc.Arbitrary<Value>;
  const control = ['external_id', 'email', 'phone'];
  const known = [
    'apps',
    'attributed_ad',
    'country',
    'current_location',
    'devices',
    'dob',
    'email_subscribe',
    'facebook',
    'last_coordinates',
    'push_tokens',
    'subscription_groups',
    'time_zone',
    'twitter',
    'uninstalled_at',
    ...control,
  ];

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(oddNames, fc.constantFrom(...known)), anything, { noNullPrototype: true }),
        fc.boolean(),
        (entry, merges) => {
          const { changes } = changed({ ...entry, _merge_objects: merges });
          const { profile } = fold(newProfile('p', 'demo', 1), changes, 2, 0);
          const seen = { profile: fold(profile, changes, 3, 0).profile };
          for (const { shows } of Object.values(exportedFields)) shows(seen);
        },
      ),
      { numRuns: 2000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('brings texts that are no times back as they were, under whatever name', () => {
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => read.time(text) === undefined);
    const customNames = oddNames.filter((name) => !known.includes(name));
    fc.assert(
      fc.property(fc.dictionary(customNames, texts, { noNullPrototype: true }), (entry) => {
        const { profile } = fold(newProfile('p', 'demo', 1), changed(entry).changes, 2, 0);
        expect(JSON.stringify(shownAttributes(profile))).toBe(JSON.stringify(entry));
      }),
      { numRuns: 1000 },
    );
  });

  it('brings nested attributes back as they were, whatever their members are called', () => {
    const nestedNames = oddNames.filter((name) => name !== 'inc' && name !== '$time');
    const tree: fc.Arbitrary<Value> = fc.letrec<{ value: Value; object: Value }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.boolean(),
        tie('object'),
        fc.array(tie('object'), { maxLength: 2 }),
      ),
      object: fc.dictionary(nestedNames, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    })).object;
    fc.assert(
      fc.property(tree, fc.boolean(), (nested, merges) => {
        const { changes } = changed({ nested, _merge_objects: merges });
        const { profile } = fold(newProfile('p', 'demo', 1), changes, 2, 0);
        expect(JSON.stringify(shownAttributes(profile).nested)).toBe(JSON.stringify(nested));
      }),
      { numRuns: 1000 },
    );
  });
});
