import fc from 'fast-check';
import {
  type Alias,
  type FieldName,
  fieldNames,
  type ListItem,
  type ListName,
  newProfile,
  type Profile,
  type Stamped,
} from '../profile.ts';
import { identifyProfiles as identifyWith, mergeProfiles as mergeWith } from './merge-profiles.ts';
import type { ReadTime } from './values.ts';

/** ISO texts and, to tell it from what a Date reads, days in the American order. */
const time: ReadTime = (text) => {
  const [, month, day, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text) ?? [];
  const moment = Date.parse(year === undefined ? text : `${year}-${month}-${day}`);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
};
const mergeProfiles = (kept: Profile, away: Profile): Profile => mergeWith(kept, away, time);
const identifyProfiles = (kept: Profile, away: Profile): Profile => identifyWith(kept, away, time);

const profile = (_id: string, more: Partial<Profile> = {}): Profile => ({
  ...newProfile(_id, 'demo', 10),
  ...more,
});
const field = (v: Stamped['v'], at = 1): Stamped => ({ v, at });
const item = (k: string, v: ListItem['v'], at = 1): ListItem => ({ k, v, at });

describe('fields', () => {
  const merged = (name: FieldName, kept?: Stamped, away?: Stamped): Stamped | undefined =>
    mergeProfiles(
      profile('k', { fields: kept ? { [name]: kept } : {} }),
      profile('a', { fields: away ? { [name]: away } : {} }),
    ).fields[name];

  const dates = new Set<FieldName>(['date_of_first_session', 'date_of_last_session']);

  it.each(fieldNames.filter((name) => !dates.has(name)))(
    '%s: the kept value stays, a missing one comes over',
    (name) => {
      expect(merged(name, field('kept', 1), field('away', 9))).toEqual(field('kept', 1));
      expect(merged(name, undefined, field('away', 9))).toEqual(field('away', 9));
      expect(merged(name, field('kept', 1), field(null, 9))).toEqual(field('kept', 1));
      // Values sent before the removal must not come back.
      expect(merged(name, field(null, 9), field('away', 1))).toMatchObject({ v: 'away', at: 9, since: 1 });
      expect(merged(name, field(null, 9), field(null, 1))).toEqual(field(null, 9));
      expect(merged(name)).toBeUndefined();
    },
  );

  it.each([
    ['date_of_first_session', '2025-03-01T00:00:00.000Z'],
    ['date_of_last_session', '2026-01-01T00:00:00.000Z'],
  ] as const)('%s: %s stays', (name, v) => {
    const [early, late] = [field('2025-03-01T00:00:00.000Z', 5), field('2026-01-01T00:00:00.000Z', 3)];
    expect(merged(name, early, late)).toEqual({ v, at: 5 });
    expect(merged(name, late, early)).toEqual({ v, at: 5 });
  });
});

describe('lists', () => {
  /** What becomes of a list of both; the first member of an item is its key. */
  const merged = (name: ListName, kept: ListItem['v'][], away: ListItem['v'][]) => {
    const withItems = (id: string, values: ListItem['v'][]) =>
      profile(id, { lists: { [name]: { items: values.map((v) => item(String(Object.values(v)[0]), v)) } } });
    return mergeProfiles(withItems('k', kept), withItems('a', away)).lists[name]?.items.map(({ v }) => v);
  };

  it('an app on both: sessions add up, first use the earliest, last use the latest', () => {
    const app = (name: string, sessions: string | number, first_used: string, last_used: string) => ({
      name,
      sessions,
      first_used,
      last_used,
    });
    const away = [app('web', 4, '2025-01-01', '2025-05-01'), app('ios', 2, '2025-01-01', '2025-01-02')];
    expect(merged('apps', [app('web', '3', '2025-02-01', '2025-06-01')], away)).toEqual([
      app('ios', 2, '2025-01-01', '2025-01-02'),
      app('web', '7', '2025-01-01', '2025-06-01'),
    ]);
  });

  it('message history: the latest date, and whatever was done on either side', () => {
    const campaign = (last_received: string, engaged: ListItem['v']) => ({
      name: 'c',
      last_received,
      engaged,
      converted: false,
    });
    const kept = campaign('2025-01-01', { opened_email: true });
    const away = campaign('2025-02-01', { opened_email: false, clicked_email: true });
    expect(merged('campaigns_received', [kept], [away])).toEqual([
      campaign('2025-02-01', { opened_email: true, clicked_email: true }),
    ]);
  });

  it('session dates are those of both, also when they have no app in common', () => {
    const one = (name: string, day: string) =>
      profile(name, {
        fields: { date_of_first_session: field(day), date_of_last_session: field(day) },
        lists: { apps: { items: [item(name, { name, sessions: 1, first_used: day, last_used: day })] } },
      });
    const merged = mergeProfiles(one('web', '2025-02-01'), one('ios', '2025-01-01'));
    expect(merged.fields).toMatchObject({
      date_of_first_session: { v: '2025-01-01' },
      date_of_last_session: { v: '2025-02-01' },
    });
    expect(merged.lists.apps?.items.map(({ v }) => [v.name, v.sessions])).toEqual([
      ['ios', 1],
      ['web', 1],
    ]);
  });

  it('multiple conversions: whatever was done on either side, by name', () => {
    const campaign = (multiple_converted: ListItem['v'], converted: boolean) => ({
      name: 'c',
      converted,
      multiple_converted,
    });
    const kept = campaign({ bought: false, signed_up: true, read: false }, false);
    const away = campaign({ bought: true, signed_up: false, shared: true }, true);
    expect(merged('campaigns_received', [kept], [away])).toEqual([
      campaign({ bought: true, signed_up: true, read: false, shared: true }, true),
    ]);
  });

  it('workflows: the latest of each date, and the steps of both, each with its latest date', () => {
    const step = (api_canvas_step_id: string, last_received: string | null, name = 'kept') => ({
      name,
      api_canvas_step_id,
      last_received,
    });
    const kept = {
      api_canvas_id: 'w',
      name: 'kept',
      variation_name: 'one',
      last_received_message: '2025-03-01',
      last_entered: '2025-01-01',
      last_exited: '2025-02-01',
      steps_received: [step('s1', '2025-01-01'), step('s2', '2025-03-01')],
    };
    const away = {
      api_canvas_id: 'w',
      name: 'away',
      variation_name: 'two',
      in_control: true,
      last_received_message: '2025-01-01',
      last_entered: '2025-02-01',
      last_entered_control_at: '2025-01-15',
      last_exited: null,
      steps_received: [step('s3', '2025-01-02', 'away'), step('s1', '2025-02-01', 'away'), step('s2', null)],
    };
    expect(merged('canvases_received', [kept], [away])).toEqual([
      {
        ...kept,
        in_control: true,
        last_entered: '2025-02-01',
        last_entered_control_at: '2025-01-15',
        steps_received: [
          step('s1', '2025-02-01'),
          step('s2', '2025-03-01'),
          step('s3', '2025-01-02', 'away'),
        ],
      },
    ]);
  });

  it('cards of both, and of one that both clicked the kept one', () => {
    const card = (id: string, name: string) => ({ id, name });
    const [one, two, three] = [card('1', 'kept'), card('2', 'two'), card('3', 'three')];
    expect(merged('cards_clicked', [one, two], [card('1', 'away'), three])).toEqual([one, two, three]);
  });

  it('devices and tokens of both, and what people are found by with them', () => {
    const merged = mergeProfiles(
      profile('k', { lists: { devices: { items: [item('d1', { device_id: 'd1' })] } } }),
      profile('a', {
        lists: {
          devices: { items: [item('d2', { device_id: 'd2' })], cleared: 4 },
          push_tokens: { items: [item('1:a:t', { app: 'a', token: 't' })] },
        },
      }),
    );
    expect(merged.device_keys).toEqual(['d1', 'd2']);
    expect(merged.token_keys).toEqual(['1:a:t']);
    expect(merged.lists.devices?.cleared).toBe(4);
  });
});

describe('identifiers', () => {
  it('email and phone come over with what people are found by', () => {
    const away = profile('a', {
      fields: { email: field('Ada@Example.com'), phone: field('+4930901820') },
      email_key: 'ada@example.com',
      phone_key: '+4930901820',
    });
    expect(mergeProfiles(profile('k'), away)).toMatchObject({
      email_key: 'ada@example.com',
      phone_key: '+4930901820',
    });
    const kept = profile('k', { fields: { email: field('k@example.com') }, email_key: 'k@example.com' });
    expect(mergeProfiles(kept, away).email_key).toBe('k@example.com');
  });

  it('aliases move unless their label is taken; an external id only where there is none, and only the primary one', () => {
    const alias = (label: string, name: string): Alias => ({ label, name });
    const merged = mergeProfiles(
      profile('k', { aliases: [alias('crm', '1')], former_ids: ['f1'] }),
      profile('a', { aliases: [alias('crm', '2'), alias('web', '3')], external_id: 'a', former_ids: ['f2'] }),
    );
    expect(merged).toMatchObject({
      external_id: 'a',
      former_ids: ['f1'],
      aliases: [alias('crm', '1'), alias('web', '3')],
      absorbed: ['a'],
    });
    expect(mergeProfiles(profile('k', { external_id: 'k' }), merged).external_id).toBe('k');
  });
});

describe('custom attributes', () => {
  const custom = (k: string, v: Stamped['v'], at = 1) => ({ k, v, at });
  it('stay as they are; missing and removed ones come over', () => {
    const merged = mergeProfiles(
      profile('k', { custom: [custom('both', 'kept'), custom('removed', null, 9)] }),
      profile('a', { custom: [custom('both', 'away', 8), custom('removed', 'x', 2), custom('new', 1)] }),
    );
    expect(merged.custom).toEqual([custom('both', 'kept'), custom('removed', 'x', 9), custom('new', 1)]);
  });
});

describe('identify without a merge', () => {
  it('takes aliases, push tokens, message history and missing contacts, and nothing else', () => {
    const tokens = { items: [item('1:a:t', { app: 'a', token: 't' })] };
    const other = profile('a', {
      aliases: [{ label: 'web', name: 'x' }],
      fields: { first_name: field('Anon'), email: field('a@b.co') },
      email_key: 'a@b.co',
      custom: [{ k: 'colour', v: 'red', at: 1 }],
      lists: { push_tokens: tokens, devices: { items: [item('d', { device_id: 'd' })] } },
      created_at: 1,
      updated_at: 99,
    });
    expect(identifyProfiles(profile('k', { external_id: 'ada' }), other)).toEqual({
      ...profile('k', { external_id: 'ada' }),
      aliases: [{ label: 'web', name: 'x' }],
      fields: { email: field('a@b.co') },
      email_key: 'a@b.co',
      lists: { push_tokens: tokens },
      token_keys: ['1:a:t'],
    });
  });
});

const stamp = fc.integer({ min: 1, max: 20 });
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const date = fc.constantFrom('2025-01-01', '02-01-2025', '2025-02-01', '2026-01-01', 'never');
const stampedText = fc.record({ v: fc.constantFrom<string | null>('x', 'y', null), at: stamp });
const stampedDate = fc.record({ v: fc.oneof(date, fc.constant(null)), at: stamp });

const people = (id: string): fc.Arbitrary<Profile> =>
  fc
    .record({
      external_id: optional(fc.constantFrom('one', 'two')),
      first_name: optional(stampedText),
      first: optional(stampedDate),
      last: optional(stampedDate),
      labels: fc.uniqueArray(fc.constantFrom('crm', 'web', 'shop')),
      sessions: optional(fc.integer({ min: 0, max: 100 })),
      received: optional(date),
      custom: fc.uniqueArray(
        fc.record({
          k: fc.constantFrom('a', 'b', '__proto__'),
          v: fc.constantFrom<string | null>('x', null),
          at: stamp,
        }),
        { selector: ({ k }) => k },
      ),
      created_at: stamp,
      updated_at: stamp,
    })
    .map(({ external_id, first_name, first, last, labels, sessions, received, ...rest }) => ({
      ...newProfile(id, 'demo', 0),
      ...rest,
      ...(external_id !== undefined && { external_id }),
      ...(labels.length > 0 && { aliases: labels.map((label) => ({ label, name: `${label} of ${id}` })) }),
      fields: {
        ...(first_name && { first_name }),
        ...(first && { date_of_first_session: first }),
        ...(last && { date_of_last_session: last }),
      },
      lists: {
        ...(sessions !== undefined && { apps: { items: [item('web', { name: 'web', sessions }, 3)] } }),
        ...(received && {
          campaigns_received: { items: [item('c', { name: 'c', last_received: received }, 2)] },
        }),
      },
    }));

/** Order of registers is no matter. */
const sorted = (one: Profile): Profile => ({
  ...one,
  custom: one.custom.toSorted((a, b) => (a.k < b.k ? -1 : 1)),
});

const sessionsOf = ({ lists }: Profile): number =>
  (lists.apps?.items ?? []).reduce((sum, { v }) => sum + Number(v.sessions), 0);

describe('laws', () => {
  it('merging an empty profile changes nothing but the list of absorbed ones', () => {
    fc.assert(
      fc.property(people('k'), (kept) => {
        const empty = { ...newProfile('e', 'demo', kept.created_at), updated_at: kept.updated_at };
        expect(mergeProfiles(kept, empty)).toEqual({ ...kept, absorbed: ['e'] });
        const into = { ...newProfile('e', 'demo', kept.created_at), updated_at: kept.updated_at };
        expect(mergeProfiles(into, kept)).toEqual({ ...kept, _id: 'e', absorbed: ['k'] });
      }),
    );
  });

  it('it does not matter which of three is merged first', () => {
    fc.assert(
      fc.property(people('a'), people('b'), people('c'), (a, b, c) => {
        const left = mergeProfiles(mergeProfiles(a, b), c);
        const right = mergeProfiles(a, mergeProfiles(b, c));
        expect(sorted(left)).toEqual(sorted(right));
      }),
    );
  });

  it('nothing of the kept profile is lost, and sums add up', () => {
    fc.assert(
      fc.property(people('k'), people('a'), (kept, away) => {
        const merged = mergeProfiles(kept, away);
        if (kept.external_id !== undefined) expect(merged.external_id).toBe(kept.external_id);
        expect(merged.aliases ?? []).toEqual(expect.arrayContaining(kept.aliases ?? []));
        if (kept.fields.first_name && kept.fields.first_name.v !== null)
          expect(merged.fields.first_name).toEqual(kept.fields.first_name);
        for (const one of kept.custom.filter(({ v }) => v !== null))
          expect(merged.custom).toContainEqual(one);
        expect(sessionsOf(merged)).toBe(sessionsOf(kept) + sessionsOf(away));
      }),
    );
  });

  it('changes neither of the two', () => {
    fc.assert(
      fc.property(people('k'), people('a'), (kept, away) => {
        const before = structuredClone([kept, away]);
        mergeProfiles(kept, away);
        identifyProfiles(kept, away);
        expect([kept, away]).toEqual(before);
      }),
    );
  });
});
