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

it.each<[string, DataKind, Partial<IntegrationSettings>, Row, unknown]>([
  [
    'a payload of JSON',
    'attributes',
    {},
    { ...usual, PAYLOAD: { plan: 'gold' } },
    { plan: 'gold', external_id: 'ada' },
  ],
  [
    'a payload of text',
    'attributes',
    {},
    { ...usual, PAYLOAD: '{"n":9007199254740993}' },
    { n: 9007199254740993n, external_id: 'ada' },
  ],
  [
    'the identifier of the row, whatever the payload says',
    'attributes',
    {},
    { ...usual, PAYLOAD: { external_id: 'eve' } },
    { external_id: 'ada' },
  ],
  [
    'all other columns without a payload',
    'attributes',
    {},
    { ...usual, Plan: 'gold', gone: null },
    { plan: 'gold', gone: null, external_id: 'ada' },
  ],
  ['numbers as external ids', 'attributes', {}, { updated_at: at, external_id: 7 }, { external_id: '7' }],
  [
    'columns that are chosen',
    'attributes',
    { columns: { tier: 'plan' } },
    { ...usual, plan: 'gold', more: 1 },
    { tier: 'gold', external_id: 'ada' },
  ],
  [
    'aliases',
    'attributes',
    {},
    { UPDATED_AT: at, ALIAS_NAME: 'a', ALIAS_LABEL: 'shop' },
    { user_alias: { alias_name: 'a', alias_label: 'shop' } },
  ],
  [
    'the identifier that a row has, beside a payload',
    'attributes',
    {},
    {
      UPDATED_AT: at,
      EXTERNAL_ID: null,
      ALIAS_NAME: '',
      ALIAS_LABEL: '',
      EMAIL: 'a@b.c',
      PAYLOAD: '{"n":1}',
    },
    { n: 1, email: 'a@b.c' },
  ],
  [
    'an alias, where a row has no external id',
    'deletes',
    {},
    { UPDATED_AT: at, EXTERNAL_ID: null, ALIAS_NAME: 'a', ALIAS_LABEL: 'shop' },
    { user_alias: { alias_name: 'a', alias_label: 'shop' } },
  ],
  [
    'no identifier where a row has none',
    'attributes',
    {},
    { UPDATED_AT: at, EXTERNAL_ID: null, PHONE: '', PAYLOAD: '{}' },
    'the columns EXTERNAL_ID, PHONE are empty',
  ],
  [
    'an email as a member beside an external id, without a payload',
    'attributes',
    {},
    { ...usual, EMAIL: 'a@b.c' },
    { external_id: 'ada', email: 'a@b.c' },
  ],
  [
    'only the identifier that is named, whatever others there are',
    'attributes',
    { identifier: { by: 'email', column: 'EMAIL' } },
    { ...usual, EMAIL: null, PAYLOAD: '{}' },
    'the column EMAIL is empty',
  ],
  [
    'an alias with one label',
    'attributes',
    { identifier: { by: 'user_alias', column: 'id', label: 'crm' } },
    { updated_at: at, id: 5 },
    { user_alias: { alias_name: '5', alias_label: 'crm' } },
  ],
  [
    'names that look like code',
    'attributes',
    {},
    { ...usual, PAYLOAD: JSON.stringify({ constructor: 1 }) },
    { constructor: 1, external_id: 'ada' },
  ],
  [
    'columns as properties of an event',
    'events',
    {},
    { ...usual, name: 'seen', page: '/', nothing: null },
    { name: 'seen', time: at, properties: { page: '/' }, external_id: 'ada' },
  ],
  [
    'the time that an event says',
    'events',
    {},
    { ...usual, PAYLOAD: { name: 'seen', time: '2026-01-01' } },
    { name: 'seen', time: '2026-01-01', external_id: 'ada' },
  ],
  [
    'decimal prices',
    'purchases',
    { columns: { product_id: 'sku', price: 'price' } },
    { ...usual, sku: 'lamp', price: '12.50' },
    { product_id: 'lamp', price: 12.5, time: at, external_id: 'ada' },
  ],
  [
    'nothing but the identifier of a delete',
    'deletes',
    {},
    { ...usual, plan: 'gold' },
    { external_id: 'ada' },
  ],
  [
    'an empty identifier',
    'attributes',
    {},
    { ...usual, EXTERNAL_ID: null },
    'the column EXTERNAL_ID is empty',
  ],
  [
    'a payload that is no object',
    'attributes',
    {},
    { ...usual, PAYLOAD: '[1]' },
    'the column PAYLOAD holds no JSON object',
  ],
  [
    'a payload that is no JSON',
    'attributes',
    {},
    { ...usual, PAYLOAD: '{' },
    'the column PAYLOAD holds no JSON object',
  ],
])('takes %s', (_, data, settings, row, expected) => {
  expect(mapped(data, settings, row)).toEqual(expected);
});

it.each<[string, Partial<IntegrationSettings>, string]>([
  ['the time', { updated_at: 'changed' }, 'there is no column changed; there are id, UPDATED_AT'],
  [
    'the identifier',
    { identifier: { by: 'email', column: 'mail' } },
    'there is no column mail; there are id, UPDATED_AT',
  ],
  [
    'any identifier',
    {},
    'there is no column EXTERNAL_ID, ALIAS_NAME and ALIAS_LABEL, EMAIL, PHONE or SERVICE_ID; there are id, UPDATED_AT',
  ],
  [
    'the key',
    { identifier: { by: 'email', column: 'id' }, key: 'n' },
    'there is no column n; there are id, UPDATED_AT',
  ],
])('says that %s is missing', (_, settings, message) => {
  expect(() => mapped('attributes', settings, { id: 'x', UPDATED_AT: at })).toThrow(message);
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
