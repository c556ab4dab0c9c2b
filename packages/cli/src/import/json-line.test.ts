import type { LineType } from './entry-kind.ts';
import { readJsonLine } from './json-line.ts';

const about = { external_id: 'ada' };
const event = { ...about, name: 'opened', time: '2026-01-31' };
const purchase = { ...about, product_id: 'tea', currency: 'EUR', price: 4.5, time: '2026-01-31' };
const read = (line: unknown, type?: LineType) => readJsonLine(JSON.stringify(line), { type });

describe('a line of NDJSON', () => {
  it.each([
    ['says its type', { type: 'event', ...about, x: 1 }, 'events', { ...about, x: 1 }],
    ['has name and time', event, 'events', event],
    ['has a product id', purchase, 'purchases', purchase],
    [
      'has a product id, and name and time, but no price',
      { ...event, product_id: 'tea' },
      'events',
      { ...event, product_id: 'tea' },
    ],
    [
      'is a whole purchase with a name',
      { ...purchase, name: 'Tea' },
      'purchases',
      { ...purchase, name: 'Tea' },
    ],
    ['is a plain entry', { ...about, plan: 'pro' }, 'attributes', { ...about, plan: 'pro' }],
    ['has only a name', { ...about, name: 'Ada' }, 'attributes', { ...about, name: 'Ada' }],
    [
      'has a type that says nothing to us',
      { ...about, type: 'vip' },
      'attributes',
      { ...about, type: 'vip' },
    ],
    [
      'names a person and has an array `events`',
      { ...about, events: ['a'] },
      'attributes',
      { ...about, events: ['a'] },
    ],
    ['is an exported user', { ...about, custom_attributes: { a: 1 } }, 'attributes', { ...about, a: 1 }],
    [
      'is an exported user with nothing of their own',
      { ...about, service_id: 's', random_bucket: 7 },
      'attributes',
      about,
    ],
    ['says that it is an exported user', { type: 'user', ...about, created_at: '2026' }, 'attributes', about],
  ])('that %s', (_, line, array, value) => {
    expect(read(line).entries).toMatchObject([{ array, value }]);
  });

  it('may be a track body, or the answer of an export', () => {
    expect(read({ attributes: [about], events: [event], purchases: [purchase] }).entries).toEqual([
      { array: 'attributes', value: about },
      { array: 'events', value: event },
      { array: 'purchases', value: purchase },
    ]);
    expect(read({ message: 'success', users: [{ ...about, random_bucket: 7 }] })).toEqual({
      entries: [{ array: 'attributes', value: about, isExported: true }],
      leftOut: [{ name: 'random_bucket', reason: expect.any(String) }],
    });
  });

  it('may be a person as roster export writes them: entries with further names', () => {
    const former = { ...about, former_external_ids: ['a1'] };
    const alias = { ...about, alias_name: '7', alias_label: 'crm' };
    expect(read({ about: { service_id: 's' }, names: [former, alias], attributes: [about] })).toEqual({
      entries: [{ array: 'attributes', value: about }],
      leftOut: [],
      names: [
        { kind: 'former', value: former },
        { kind: 'alias', value: alias },
      ],
    });
  });

  it('may be an alias', () => {
    const alias = { ...about, alias_name: '7', alias_label: 'crm' };
    expect(read({ type: 'alias', ...alias })).toEqual({
      entries: [],
      leftOut: [],
      names: [{ kind: 'alias', value: alias }],
    });
    const user_aliases = [{ alias_name: '7', alias_label: 'crm' }];
    expect(read({ users: [{ ...about, user_aliases }] }).names).toEqual([{ kind: 'alias', value: alias }]);
  });

  it('is what --type says, whatever it looks like', () => {
    const line = { ...event, type: 'event' };
    expect(read(line, 'attributes').entries).toEqual([{ array: 'attributes', value: line }]);
  });

  it.each([
    ['{"a":', 'LINE_NOT_JSON'],
    ['undefined', 'LINE_NOT_JSON'],
    ['[1]', 'LINE_INVALID'],
    ['"text"', 'LINE_INVALID'],
    ['null', 'LINE_INVALID'],
    ['{"events":[1]}', 'LINE_INVALID'],
    ['{"events":[],"purchases":{}}', 'LINE_INVALID'],
  ])('is refused when it is none of these: %s', (text, code) => {
    expect(readJsonLine(text)).toMatchObject({ entries: [], fault: { code } });
  });

  it.each([
    ['{"score": NaN}', /wrong at column 11 \(JSON has no such number/],
    ['{"score": -Infinity}', /wrong at column 1[12]/],
    ['{"external_id":"a"},', /wrong at column 20 \(behind an object there is no comma/],
    ["{'external_id': 'a'}", /wrong at column 2 \(JSON has double quotes/],
    ['{"a": None}', /wrong at column 7 \(JSON has null/],
    ['{"a": 1', /ends too early, at column 8/],
  ])('that is no JSON is told where it is wrong: %s', (text, sentence) => {
    expect(readJsonLine(text).fault).toMatchObject({
      code: 'LINE_NOT_JSON',
      sentence: expect.stringMatching(sentence),
    });
  });

  it.each([
    [
      '{"external_id":"a","x":1e400}',
      'ATTRIBUTE_VALUE_INVALID',
      /^x must be .*: a number there is beyond what a double holds/,
    ],
    ['{"external_id":"a","x":{"y":[-1e999]}}', 'ATTRIBUTE_VALUE_INVALID', /x\.y\[0\]'? must be/],
    ['{"external_id":"a","x":{"inc":1e400}}', 'ATTRIBUTE_VALUE_INVALID', /x/],
    [
      '{"external_id":"a","name":"n","time":"2026-01-31","properties":{"x":1e400}}',
      'PROPERTY_VALUE_INVALID',
      /x/,
    ],
    [
      '{"external_id":"a","product_id":"p","currency":"EUR","price":1e400,"time":"2026-01-31"}',
      'FIELD_INVALID',
      /price/,
    ],
    ['{"attributes":[{"external_id":"a"},{"external_id":"b","x":1e400}]}', 'ATTRIBUTE_VALUE_INVALID', /x/],
    ['{"type":"alias","external_id":"a","alias_name":1e400,"alias_label":"b"}', 'NUMBER_INVALID', /beyond/],
  ])('with a number beyond a double is refused as the server does it: %s', (text, code, sentence) => {
    expect(readJsonLine(text)).toMatchObject({
      entries: [],
      fault: { code, sentence: expect.stringMatching(sentence) },
    });
  });

  it('keeps odd names as what they are', () => {
    const text = '{"type":"attributes","external_id":"ada","__proto__":{"x":1},"constructor":2}';
    expect(JSON.stringify(readJsonLine(text).entries[0]?.value)).toBe(
      '{"external_id":"ada","__proto__":{"x":1},"constructor":2}',
    );
  });
});
