import { newProfile, type Profile } from '@roster/profile';
import { readJsonLine } from '../import/json-line.ts';
import { eventLine, nameOf, purchaseLine, userLines } from './lines.ts';

const at = 1_763_000_000_000_000;
const aPerson = (more: Partial<Profile> = {}): Profile => ({ ...newProfile('s1', 'demo', at), ...more });
const email = { email: { v: 'Ada@example.com', at } };
const phone = { phone: { v: '+15005550006', at } };
const aliases = [
  { label: 'crm', name: '7' },
  { label: 'web', name: '8' },
];
const alias = { alias_name: '7', alias_label: 'crm' };

it.each<[string, Partial<Profile>, object | undefined]>([
  ['an external id before all', { external_id: 'ada', aliases, fields: email }, { external_id: 'ada' }],
  ['the first alias', { aliases, fields: { ...email, ...phone } }, { user_alias: alias }],
  ['an email, as it was given', { fields: { ...email, ...phone } }, { email: 'Ada@example.com' }],
  ['a phone', { fields: phone }, { phone: '+15005550006' }],
  ['nothing', { fields: { email: { v: null, at } } }, undefined],
])('the identifier of a line is meant by %s', (_, person, name) => {
  expect(nameOf(aPerson(person))).toEqual(name);
});

describe('a line', () => {
  it('of an occurrence has its time, app and properties as they are stored, whatever the names', () => {
    const properties = '{"__proto__":{"a":1},"type":"x","n":1e-7}';
    const row = { index: 0, ws: 'demo', profile: 's1', time: new Date(5), at, app_id: 'web', properties };
    const event = eventLine({ ...row, name: '__proto__ "😀"\n' }, { external_id: 'ada' });
    expect(event.indexOf('\n')).toBe(event.length - 1);
    expect(event).toContain(`"properties":${properties}}`);
    expect(readJsonLine(event)).toMatchObject({
      entries: [
        {
          array: 'events',
          value: { name: '__proto__ "😀"\n', time: '1970-01-01T00:00:00.005Z', app_id: 'web' },
        },
      ],
    });
    const bought = { product_id: 'tea', currency: 'EUR', price: 0.1, quantity: 3 };
    const { app_id: _, properties: __, ...plain } = row;
    const [entry] = readJsonLine(purchaseLine({ ...plain, ...bought }, { user_alias: alias })).entries;
    expect(entry).toEqual({
      array: 'purchases',
      value: { user_alias: alias, ...bought, time: '1970-01-01T00:00:00.005Z' },
    });
  });

  it('of a person with very much data is several, none larger than a request, and nothing is lost', () => {
    const long = (count: number, size: number) => ({
      items: Array.from({ length: count }, (_, n) => ({
        k: `${n}`,
        v: { name: `${n} ${'x'.repeat(size)}` },
        at,
      })),
    });
    const person = aPerson({
      external_id: 'ada',
      fields: email,
      custom: Array.from({ length: 40 }, (_, n) => ({ k: `a${n}`, v: 'x'.repeat(100_000), at })),
      lists: { cards_clicked: long(1201, 1), canvases_received: long(499, 10_000), apps: long(3, 1) },
      consents: [{ k: 'email', v: 'opted_in', at }],
    });
    const lines = userLines({ profile: person }, ['a1']);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThan(1_100_000);
    const readings = lines.map((line) => readJsonLine(line));
    const entries = readings.flatMap((one) => one.entries.map(({ value }) => value));
    const lengths = (name: string) =>
      entries.flatMap((entry) => (Array.isArray(entry[name]) ? [entry[name].length] : []));
    const cards = entries.flatMap(({ cards_clicked = [] }) => cards_clicked as { name: string }[]);
    expect(Math.max(...lengths('cards_clicked'))).toBeLessThanOrEqual(500);
    const inKeyOrder = Array.from({ length: 1201 }, (_, n) => `${n}`).toSorted();
    expect(cards.map(({ name }) => name.split(' ')[0])).toEqual(inKeyOrder);
    expect(lengths('canvases_received').reduce((sum, length) => sum + length, 0)).toBe(499);
    expect(lengths('apps')).toEqual([3]);
    for (const entry of entries) expect(entry.external_id).toBe('ada');
    expect(entries.filter(({ email }) => email === 'Ada@example.com')).toHaveLength(1);
    const attributes = Object.keys(Object.assign({}, ...entries)).filter((name) => /^a\d+$/.test(name));
    expect(attributes).toHaveLength(40);
    expect(readings.flatMap(({ names = [] }) => names)).toEqual([
      { kind: 'former', value: { external_id: 'ada', former_external_ids: ['a1'] } },
    ]);
  });

  it('has no summaries: what they are made of follows', () => {
    const [line = ''] = userLines({ profile: aPerson({ external_id: 'ada' }) });
    const { about, attributes } = JSON.parse(line);
    const names = [...Object.keys(about), ...attributes.flatMap(Object.keys)];
    for (const name of ['custom_events', 'purchases', 'total_revenue']) expect(names).not.toContain(name);
    expect(names).toContain('created_at');
  });
});
