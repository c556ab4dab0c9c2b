import { bodyShapeFault, isDeeperThan } from './body-shape.ts';

const small = { bytes: 100, values: 3, containers: 1, names: 2, depth: 1 };
const large = { ...small, bytes: 5_000_000 };

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

describe('the shape of a body', () => {
  it.each([
    ['a small body', small, undefined],
    ['1,001 names in 100 bytes', { ...small, names: 1001 }, undefined],
    ['1,002 names in 100 bytes', { ...small, names: 1002 }, 'BODY_TOO_COMPLEX'],
    ['25,000 names', { ...large, names: 25_000 }, undefined],
    ['25,001 names', { ...large, names: 25_001 }, 'BODY_TOO_COMPLEX'],
    ['200,001 objects', { ...large, containers: 200_001 }, 'BODY_TOO_COMPLEX'],
    ['a million values', { ...large, values: 1_000_000 }, undefined],
    ['more than a million values', { ...large, values: 1_000_001 }, 'BODY_TOO_COMPLEX'],
    ['1,000 levels', { ...small, depth: 1000 }, undefined],
    ['1,001 levels', { ...small, depth: 1001 }, 'BODY_TOO_DEEP'],
  ])('%s', (_title, shape, code) => {
    expect(bodyShapeFault(shape)?.code).toBe(code);
  });

  it('is told in a sentence that names the limit', () => {
    expect(bodyShapeFault({ ...large, names: 30_000 })?.message).toBe(
      'The body holds more than 25,000 different names, the most for 5,000,000 bytes',
    );
  });
});

describe('depth', () => {
  it.each([
    [0, 0, false],
    [1, 0, true],
    [48, 48, false],
    [49, 48, true],
    [100_000, 48, true],
  ])('%i levels are deeper than %i: %s', (levels, most, deeper) => {
    expect(isDeeperThan(nested(levels), most)).toBe(deeper);
  });
});
