/** Events and purchases that are refused. */
import { deep, entriesOf, many, said } from './entries-of.ts';
import { identifiers } from './identifiers.ts';
import { type EntryList, event, purchase, type Refused } from './refused.ts';

const without = (entry: object, name: string) =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));

const timed = (list: EntryList, base: object): Refused[] => {
  const { refused, wrong } = entriesOf(list, base);
  return [
    ...entriesOf(list, without(base, 'time')).refused('FIELD_REQUIRED', "'time' is required", {}),
    ...wrong('FIELD_INVALID', said.text, { time: [1700000000, 5, null, true, {}] }),
    ...wrong('TIME_INVALID', said.aTime, {
      time: [
        ...['yesterday', 'soon', 'x', '', '1700000000', '31.12.2026'],
        ...['2026-13-01T00:00:00Z', '2026-02-30', '2023-02-30', '3001-01-01'],
        ...['2026-01-01T25:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:00+99:00'],
        ...['2026-01-01T00:00:00Z; DROP', '2026-01-31\u000012:00:00'],
      ],
    }),
    ...refused('FIELD_INVALID', `${list}[0].time must not be longer than 64 characters`, {
      time: '2026-01-01T00:00:00.'.padEnd(100, '0'),
    }),
  ];
};

const inProperties = (list: EntryList, base: object): Refused[] => {
  const { wrong } = entriesOf(list, base);
  return [
    ...wrong('FIELD_INVALID', 'must be an object or null', { properties: [[], 'a', 5] }),
    ...wrong('PROPERTY_NAME_INVALID', 'has a name that must not be empty', { properties: [{ '': 1 }] }),
    ...wrong('PROPERTY_NAME_INVALID', 'has a name that must not begin with $', { properties: [{ $a: 1 }] }),
    ...wrong('PROPERTY_NAME_INVALID', `has a name that ${said.short}`, {
      properties: [{ ['x'.repeat(256)]: 1 }],
    }),
    ...wrong('PROPERTY_NAME_INVALID', `has a name that ${said.clean}`, {
      properties: [{ 'a\0': 1 }, { '\ud800': 1 }],
      'properties.a': [{ 'b\0': 1 }],
      'properties.a.b[0]': [{ 'c\0': 1 }],
    }),
    ...['time', 'event_name'].flatMap((name) =>
      wrong('PROPERTY_NAME_RESERVED', `must not hold the reserved name '${name}'`, {
        properties: [{ [name]: 1 }, { [name]: 'x' }],
      }),
    ),
    ...wrong('PROPERTY_VALUE_INVALID', said.short, { 'properties.a': ['x'.repeat(256)] }),
    ...wrong('PROPERTY_VALUE_INVALID', said.finite, {
      'properties.a': [Number.POSITIVE_INFINITY],
      'properties.a[0].b': [Number.NEGATIVE_INFINITY],
    }),
    ...wrong('TEXT_NOT_WELL_FORMED', said.wellFormed, {
      'properties.a': ['\ud800'],
      'properties.a[0].b': ['\ud800'],
    }),
    ...wrong('PROPERTIES_TOO_LARGE', 'must not be larger than 100 KB when it holds arrays or objects', {
      properties: [
        { a: ['x'.repeat(102_400)] },
        { a: Array.from({ length: 1010 }, () => 'x'.repeat(100)) },
        { a: ['ü'.repeat(51_200)] },
        { ...many(255, 'x'.repeat(255)), a: { b: 'x'.repeat(50_000) } },
      ],
    }),
    ...wrong('TOO_MANY_PROPERTIES', 'must not hold more than 256 properties', {
      properties: [many(257, 1)],
    }),
    ...wrong('NUMBER_OUT_OF_RANGE', said.inRange, { 'properties.a': [2n ** 63n] }),
    ...wrong('TEXT_NOT_WELL_FORMED', said.clean, { app_id: ['a\0'] }),
  ];
};

const occurrences = (list: EntryList, base: object): Refused[] => {
  const { at, refused, wrong, noObject } = entriesOf(list, base);
  return [
    ...noObject('x', 5, null, [[]]),
    ...refused('ENTRY_TOO_DEEP', at('', said.flatter), { properties: { deep } }),
    ...identifiers(list, without(base, 'external_id')),
    ...timed(list, base),
    ...wrong('FIELD_INVALID', said.textOrNull, { app_id: [5, {}] }),
    ...wrong('FIELD_INVALID', said.short, { app_id: ['x'.repeat(256)] }),
    ...wrong('FIELD_INVALID', said.flag, { _update_existing_only: [1] }),
    ...inProperties(list, base),
  ];
};

/** The text by which events and purchases are told apart: an event's name, a purchase's product. */
const named = (list: EntryList, base: object, name: string): Refused[] => {
  const { wrong } = entriesOf(list, base);
  return [
    ...entriesOf(list, without(base, name)).refused('FIELD_REQUIRED', `'${name}' is required`, {}),
    ...wrong('FIELD_INVALID', said.text, { [name]: [5, null, { $ne: '' }] }),
    ...wrong('FIELD_INVALID', said.notEmpty, { [name]: [''] }),
    ...wrong('FIELD_INVALID', said.short, { [name]: ['x'.repeat(256)] }),
    ...wrong('TEXT_NOT_WELL_FORMED', said.clean, { [name]: ['a\0', '\ud800', '\ud83d', '\udfff'] }),
  ];
};

export const events: readonly Refused[] = [
  ...occurrences('events', event),
  ...named('events', event, 'name'),
];

const { refused, wrong } = entriesOf('purchases', purchase);

export const purchases: readonly Refused[] = [
  ...occurrences('purchases', purchase),
  ...named('purchases', purchase, 'product_id'),
  ...['currency', 'price'].flatMap((name) =>
    entriesOf('purchases', without(purchase, name)).refused('FIELD_REQUIRED', `'${name}' is required`, {}),
  ),
  ...[0, 101, 1.5, '1', -1, true].flatMap((quantity) =>
    refused('QUANTITY_INVALID', "'quantity' is not valid", { quantity }),
  ),
  ...['usd', 'XXX', 'ABC', 'DEM', '$', '', 'US', 'EURO', '978'].flatMap((currency) =>
    refused('CURRENCY_INVALID', "'currency' must be an ISO 4217 currency code", { currency }),
  ),
  ...wrong('FIELD_INVALID', said.text, { currency: [5, 840] }),
  ...wrong('FIELD_INVALID', 'must be a number', {
    price: ['4.5', '12.12', null, [1], Number.POSITIVE_INFINITY],
  }),
  ...wrong('FIELD_INVALID', 'must be at most 1000000000000000', { price: [1e16] }),
  ...wrong('FIELD_INVALID', 'must be at least -1000000000000000', { price: [-1e16] }),
];
