import { bytesOf, jsonOf, type Term, termOf, withParts } from './term.ts';

const value = { a: [1, 'two', null, { b: true }], c: {}, d: [], e: -0.5 };
const one: Term = { raw: '1' };
const twice = (list: Term): Term => ({ list, count: 2 });
const person: Term = { object: { id: { text: 'p{n}-{i}' }, of: twice({ raw: '{i}' }) } };
const people = ['p7-0', 'p7-1'].map((id) => ({ id, of: [0, 1] }));
const members = (name: string, count: number, object = {}): Term => ({
  object,
  more: [{ name, value: { raw: '{i}' }, count }],
});
const html: Term = { kept: { joined: [{ part: 'y' }, { text: 'z' }] } };
const withHtml: Term = { object: { a: { part: 'html' }, b: { joined: [{ text: 'x' }, { part: 'html' }] } } };
const parts = { html, y: { text: 'y', times: 3 } };

describe('a term', () => {
  it.each<[what: string, Term, json: unknown]>([
    ['writes any JSON as it was', termOf(value), value],
    ['numbers the elements of a list, and those of the innermost one inside of it', twice(person), people],
    ['numbers elements that differ, too', { row: [{ text: 'a{i}' }, { text: 'b{i}' }] }, ['a0', 'b1']],
    [
      'knows the number of the element around',
      twice(twice({ text: '{o}-{i}' })),
      [
        ['0-0', '0-1'],
        ['1-0', '1-1'],
      ],
    ],
    ['writes many members of distinct names', members('k{i}', 2, { a: one }), { a: 1, k0: 0, k1: 1 }],
    ['writes a list of one', { list: { text: '{i}' }, count: 1 }, ['0']],
    ['knows that elements differ in their names', twice({ object: { 'k{i}': one } }), [{ k0: 1 }, { k1: 1 }]],
    ['knows so of many members', twice(members('k{o}-{i}', 1)), [{ 'k0-0': 0 }, { 'k1-0': 0 }]],
    ['nests lists', { nest: one, in: 'list', depth: 3 }, [[[1]]]],
    ['nests objects', { nest: one, in: 'object', depth: 2 }, { d: { d: 1 } }],
    ['leaves a token that has no value', { text: '{id}' }, '{id}'],
    [
      'joins several texts',
      { joined: [{ text: '<p>', times: 2 }, { text: '"{n}' }, { raw: '5' }] },
      '<p><p>"75',
    ],
    ['has parts that stand elsewhere', withParts(withHtml, parts), { a: 'yyyz', b: 'xyyyz' }],
    ['writes an empty list where the count is 0', { list: one, count: 0 }, []],
  ])('%s', (_, term, json) => expect(JSON.parse(jsonOf(term, { n: '7' }))).toEqual(json));

  it('spells a text in escapes', () => {
    expect(jsonOf({ text: 'é', times: 2, escaped: true })).toBe('"\\u00e9\\u00e9"');
  });

  it.each<[string, Term]>([
    ['a list', { list: { object: { a: { text: 'x', times: 50 } } }, count: 500 }],
    ['members', members('k{i}', 10_000)],
    ['a deep one', { nest: one, in: 'object', depth: 1_000 }],
    ['escapes', { text: 'é', times: 900, escaped: true }],
  ])('knows about how large it is before it is written: %s', (_, term) => {
    const written = Buffer.byteLength(jsonOf(term));
    expect(bytesOf(term)).toBeGreaterThan(written * 0.7);
    expect(bytesOf(term)).toBeLessThan(written * 1.7 + 10);
  });
});
