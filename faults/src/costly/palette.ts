// What texts, numbers and attributes can look like: the values that the search puts in the place of others.
import { objectWith, type Term, text } from './term.ts';

const texts: readonly Term[] = [
  text('x', 255),
  text('é', 255),
  text('😀', 127),
  text('"', 255),
  text('\u0001', 255),
  { text: 'x', times: 255, escaped: true },
  text('{i}'),
  text('2026-01-31T12:00:00.123456+05:30'),
  text('Sat Jan 31 12:00:00 +0000 2026'),
  text('1'.repeat(64)),
  text('a@'.repeat(500)),
  text(`${'a.'.repeat(100)}a@${'b.'.repeat(60)}com`),
  text(' ', 255),
];

const numbers: readonly Term[] = [
  '0',
  '-1',
  '{i}',
  '1e308',
  '1e400',
  '0.1',
  '9007199254740993',
  '18446744073709551615',
  `0.${'3'.repeat(300)}`,
  '9'.repeat(300),
].map((raw) => ({ raw }));

export const objects = (count: number): Term => ({ list: { object: { a: { raw: '{i}' } } }, count });

const identified = { $identifier_key: 'a', $identifier_value: { raw: '{i}' } };

export const removals = (count: number): Term => ({ list: objectWith(identified), count });

export const updates = (count: number): Term => ({
  list: objectWith({ ...identified, $new_object: { object: { b: { raw: '1' } } } }),
  count,
});

/** Values of attributes and properties, of every kind that the interface names. */
export const attributes: readonly Term[] = [
  { list: { text: 'v{i}' }, count: 25 },
  { object: { add: { list: { text: 'v{i}' }, count: 25 } } },
  { object: { add: { list: { text: 'v{i}' }, count: 250 }, remove: { list: { text: 'v{i}' }, count: 250 } } },
  { object: { inc: { raw: '1' } } },
  objects(50),
  { object: { $add: objects(50) } },
  { object: { $remove: removals(50) } },
  { object: { $update: updates(50) } },
  { object: { $time: { text: '2026-01-31T12:00:00Z' } } },
  { object: {}, more: [{ name: 'k{i}', value: { raw: '1' }, count: 50 }] },
  { nest: { raw: '1' }, in: 'object', depth: 20 },
  { nest: { raw: '1' }, in: 'list', depth: 20 },
  { raw: 'null' },
  { raw: 'true' },
  { raw: '{}' },
  { raw: '[]' },
];

export const palette: readonly Term[] = [...texts, ...numbers, ...attributes];

/** Two entries about one person: the first sets an array of objects, the second changes it. */
export const setThenChange = (change: '$remove' | '$update', count: number): Term[] => {
  const person: Term = { text: 'listed-{n}' };
  const list = change === '$remove' ? removals(count) : updates(count);
  return [
    { object: { external_id: person, k: objects(count) } },
    { object: { external_id: person, k: { object: { [change]: list } } } },
  ];
};
