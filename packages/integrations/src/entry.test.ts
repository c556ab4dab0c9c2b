import type { DataKind, IntegrationSettings } from '@roster/contract';
import type { Row } from '@roster/sources';
import { entryOf } from './entry.ts';
import { layoutOf } from './layout.ts';

const at = '2026-01-31T10:00:00Z';

const mapped = (data: DataKind, settings: Partial<IntegrationSettings>, row: Row) => {
  const columns = Object.keys(row).map((name) => ({ name, type: 'text' }));
  const layout = layoutOf({ connection: 'c', table: 't', ...settings }, data, columns);
  const { entry, problem } = entryOf(layout, data, row);
  return entry ?? problem;
};

const usual = { UPDATED_AT: at, EXTERNAL_ID: 'ada' };

const ada = { external_id: 'ada' };

it.each<[string, Row, unknown, Partial<IntegrationSettings>?]>([
  ['a payload of JSON', { ...usual, PAYLOAD: { plan: 'gold' } }, { plan: 'gold', ...ada }],
  ['a payload of text', { ...usual, PAYLOAD: '{"n":9007199254740993}' }, { n: 9007199254740993n, ...ada }],
  [
    'the identifier of the row, whatever the payload says',
    { ...usual, PAYLOAD: { external_id: 'eve' } },
    ada,
  ],
  [
    'all other columns without a payload',
    { ...usual, Plan: 'g', gone: null },
    { plan: 'g', gone: null, ...ada },
  ],
  ['numbers as external ids', { updated_at: at, external_id: 7 }, { external_id: '7' }],
  [
    'columns that are chosen',
    { ...usual, plan: 'gold', more: 1 },
    { tier: 'gold', ...ada },
    { columns: { tier: 'plan' } },
  ],
  [
    'aliases',
    { UPDATED_AT: at, ALIAS_NAME: 'a', ALIAS_LABEL: 'shop' },
    { user_alias: { alias_name: 'a', alias_label: 'shop' } },
  ],
  [
    'the identifier that a row has, beside a payload',
    { ...usual, EXTERNAL_ID: null, ALIAS_NAME: '', ALIAS_LABEL: '', EMAIL: 'a@b.c', PAYLOAD: '{"n":1}' },
    { n: 1, email: 'a@b.c' },
  ],
  [
    'no identifier where a row has none',
    { ...usual, EXTERNAL_ID: null, PHONE: '', PAYLOAD: '{}' },
    'the columns EXTERNAL_ID, PHONE are empty',
  ],
  [
    'an email as a member beside an external id, without a payload',
    { ...usual, EMAIL: 'a@b.c' },
    { ...ada, email: 'a@b.c' },
  ],
  [
    'only the identifier that is named, whatever others there are',
    { ...usual, EMAIL: null, PAYLOAD: '{}' },
    'the column EMAIL is empty',
    { identifier: { by: 'email', column: 'EMAIL' } },
  ],
  [
    'an alias with one label',
    { updated_at: at, id: 5 },
    { user_alias: { alias_name: '5', alias_label: 'crm' } },
    { identifier: { by: 'user_alias', column: 'id', label: 'crm' } },
  ],
  ['names that look like code', { ...usual, PAYLOAD: '{"constructor":1}' }, { constructor: 1, ...ada }],
  ['an empty identifier', { ...usual, EXTERNAL_ID: null }, 'the column EXTERNAL_ID is empty'],
  ['a payload that is no object', { ...usual, PAYLOAD: '[1]' }, 'the column PAYLOAD holds no JSON object'],
  ['a payload that is no JSON', { ...usual, PAYLOAD: '{' }, 'the column PAYLOAD holds no JSON object'],
])('takes %s', (_, row, expected, settings = {}) => {
  expect(mapped('attributes', settings, row)).toEqual(expected);
});

it.each<[DataKind, string, Row, unknown, Partial<IntegrationSettings>?]>([
  [
    'events',
    'columns as properties',
    { ...usual, name: 'seen', page: '/', nothing: null },
    { name: 'seen', time: at, properties: { page: '/' }, ...ada },
  ],
  [
    'events',
    'the time that they say',
    { ...usual, PAYLOAD: { name: 'seen', time: '2026-01-01' } },
    { name: 'seen', time: '2026-01-01', ...ada },
  ],
  [
    'purchases',
    'decimal prices',
    { ...usual, sku: 'lamp', price: '12.50' },
    { product_id: 'lamp', price: 12.5, time: at, ...ada },
    { columns: { product_id: 'sku', price: 'price' } },
  ],
  ['deletes', 'nothing but the identifier', { ...usual, plan: 'gold' }, ada],
  [
    'deletes',
    'an alias, where a row has no external id',
    { ...usual, EXTERNAL_ID: null, ALIAS_NAME: 'a', ALIAS_LABEL: 'shop' },
    { user_alias: { alias_name: 'a', alias_label: 'shop' } },
  ],
])('takes for %s %s', (data, _, row, expected, settings = {}) => {
  expect(mapped(data, settings, row)).toEqual(expected);
});

it.each<[string, Partial<IntegrationSettings>, string]>([
  ['the time', { updated_at: 'changed' }, 'changed'],
  ['the identifier', { identifier: { by: 'email', column: 'mail' } }, 'mail'],
  ['any identifier', {}, 'EXTERNAL_ID, ALIAS_NAME and ALIAS_LABEL, EMAIL, PHONE or SERVICE_ID'],
  ['the key', { identifier: { by: 'email', column: 'id' }, key: 'n' }, 'n'],
])('says that %s is missing', (_, settings, columns) => {
  expect(() => mapped('attributes', settings, { id: 'x', UPDATED_AT: at })).toThrow(
    `there is no column ${columns}; there are id, UPDATED_AT`,
  );
});

it('a member may have any name', () => {
  const row: Row = { ...usual, name: 'seen', bad: { polluted: true } as unknown as string };
  for (const data of ['attributes', 'events'] as const) {
    const settings = { columns: { ['__proto__']: 'bad', name: 'name' } };
    const text = JSON.stringify(mapped(data, settings, row));
    expect(text).toContain('"__proto__":{"polluted":true}');
  }
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it.each([
  ['members', { ...usual, plan: 'a', PLAN: 'b' }, 'plan and PLAN'],
  ['identifiers', { UPDATED_AT: at, external_id: 'a', External_Id: 'b' }, 'external_id and External_Id'],
  ['times', { EXTERNAL_ID: 'a', updated_at: at, Updated_At: at }, 'updated_at and Updated_At'],
])('%s that differ only in upper and lower case are told', (_, row, names) => {
  expect(() => mapped('attributes', {}, row)).toThrow(
    `the columns ${names} differ only in upper and lower case`,
  );
});
