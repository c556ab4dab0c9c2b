import { isShallow } from './body.ts';

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

describe('the walk before the validators', () => {
  it.each([
    ['a plain text', 'text', true],
    ['null', null, true],
    ['50 levels', nested(50), true],
    ['51 levels', nested(51), false],
    ['100,000 levels', nested(100_000), false],
    ['many members', { list: Array(3_000_001).fill(0) }, false],
  ])('judges %s', (_title, value, shallow) => {
    expect(isShallow(value)).toBe(shallow);
  });
});
