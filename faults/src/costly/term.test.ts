import { bytesOf, jsonOf, type Term, termOf, withParts } from './term.ts';

const parsed = (term: Term, tokens = {}): unknown => JSON.parse(jsonOf(term, tokens));

describe('a term', () => {
  it('writes any JSON as it was', () => {
    const value = { a: [1, 'two', null, { b: true }], c: {}, d: [], e: -0.5 };
    expect(parsed(termOf(value))).toEqual(value);
  });

  it('numbers the elements of a list, and those of the innermost one inside of it', () => {
    const inner: Term = { list: { raw: '{i}' }, count: 2 };
    const outer: Term = { list: { object: { id: { text: 'p{n}-{i}' }, of: inner } }, count: 2 };
    expect(parsed(outer, { n: '7' })).toEqual([
      { id: 'p7-0', of: [0, 1] },
      { id: 'p7-1', of: [0, 1] },
    ]);
  });

  it('numbers elements that differ, too', () => {
    expect(parsed({ row: [{ text: 'a{i}' }, { text: 'b{i}' }] })).toEqual(['a0', 'b1']);
  });

  it('knows the number of the element around', () => {
    const inner: Term = { list: { text: '{o}-{i}' }, count: 2 };
    expect(parsed({ list: inner, count: 2 })).toEqual([
      ['0-0', '0-1'],
      ['1-0', '1-1'],
    ]);
  });

  it('writes many members of distinct names', () => {
    const term: Term = {
      object: { a: { raw: '1' } },
      more: [{ name: 'k{i}', value: { raw: '{i}' }, count: 3 }],
    };
    expect(parsed(term)).toEqual({ a: 1, k0: 0, k1: 1, k2: 2 });
  });

  it('knows that elements differ in their names, too', () => {
    expect(parsed({ list: { object: { 'k{i}': { raw: '1' } } }, count: 2 })).toEqual([{ k0: 1 }, { k1: 1 }]);
    const more = [{ name: 'k{o}-{i}', value: { raw: '1' }, count: 1 }];
    expect(parsed({ list: { object: {}, more }, count: 2 })).toEqual([{ 'k0-0': 1 }, { 'k1-0': 1 }]);
  });

  it('nests lists and objects', () => {
    expect(jsonOf({ nest: { raw: '1' }, in: 'list', depth: 3 })).toBe('[[[1]]]');
    expect(parsed({ nest: { raw: '1' }, in: 'object', depth: 2 })).toEqual({ d: { d: 1 } });
  });

  it('spells a text in escapes', () => {
    expect(jsonOf({ text: 'é', times: 2, escaped: true })).toBe('"\\u00e9\\u00e9"');
  });

  it('leaves a token that has no value', () => {
    expect(jsonOf({ text: '{id}' })).toBe('"{id}"');
  });

  it('joins several texts to one', () => {
    const term: Term = { joined: [{ text: '<p>', times: 2 }, { text: '"{n}' }, { raw: '5' }] };
    expect(parsed(term, { n: '7' })).toBe('<p><p>"75');
  });

  it('has parts that stand elsewhere', () => {
    const term: Term = { object: { a: { part: 'html' }, b: { joined: [{ text: 'x' }, { part: 'html' }] } } };
    const html: Term = { kept: { joined: [{ part: 'y' }, { text: 'z' }] } };
    const parts = { html, y: { text: 'y', times: 3 } };
    expect(parsed(withParts(term, parts))).toEqual({ a: 'yyyz', b: 'xyyyz' });
  });

  it('writes an empty list where the count is 0', () => {
    expect(jsonOf({ list: { raw: '1' }, count: 0 })).toBe('[]');
  });

  it.each<[string, Term]>([
    ['a list', { list: { object: { a: { text: 'x', times: 50 } } }, count: 500 }],
    ['members', { object: {}, more: [{ name: 'k{i}', value: { raw: '{i}' }, count: 10_000 }] }],
    ['a deep one', { nest: { raw: '1' }, in: 'object', depth: 1_000 }],
    ['escapes', { text: 'é', times: 900, escaped: true }],
  ])('knows about how large it is before it is written: %s', (_, term) => {
    const written = Buffer.byteLength(jsonOf(term));
    expect(bytesOf(term)).toBeGreaterThan(written * 0.7);
    expect(bytesOf(term)).toBeLessThan(written * 1.7 + 10);
  });
});
