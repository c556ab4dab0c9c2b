import { bodyShapeFault, isDeeperThan } from './body-shape.ts';

const small = { bytes: 100, values: 3, containers: 1, shapes: 2, crowd: 0, texts: 2, depth: 1 };
const large = { ...small, bytes: 5_000_000 };

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

describe('the shape of a body', () => {
  it.each([
    ['a small body', small, undefined],
    ['400 new sequences of names in 100 bytes', { ...small, shapes: 400 }, undefined],
    ['450 of them', { ...small, shapes: 450 }, 'BODY_TOO_COMPLEX'],
    ['40,000 of them', { ...large, shapes: 40_000 }, undefined],
    ['42,000 of them', { ...large, shapes: 42_000 }, 'BODY_TOO_COMPLEX'],
    ['120,000 short texts', { ...large, texts: 120_000 }, undefined],
    ['130,000 short texts', { ...large, texts: 130_000 }, 'BODY_TOO_COMPLEX'],
    ['240,000 members of large objects', { ...large, crowd: 240_000 }, undefined],
    ['260,000 members of large objects', { ...large, crowd: 260_000 }, 'BODY_TOO_COMPLEX'],
    ['100,000 objects of few shapes', { ...large, containers: 100_000 }, undefined],
    ['100,000 objects of many shapes', { ...large, containers: 100_000, shapes: 1001 }, 'BODY_TOO_COMPLEX'],
    ['800,000 values', { ...large, values: 800_000 }, undefined],
    ['850,000 values', { ...large, values: 850_000 }, 'BODY_TOO_COMPLEX'],
    ['80,000 numbers of 16 digits', { ...large, longNumbers: 80_000 }, undefined],
    ['110,000 of them', { ...large, longNumbers: 110_000 }, 'BODY_TOO_COMPLEX'],
    ['half of each of two', { ...large, values: 500_000, shapes: 20_000 }, 'BODY_TOO_COMPLEX'],
    ['1,000 levels', { ...small, depth: 1000 }, undefined],
    ['1,001 levels', { ...small, depth: 1001 }, 'BODY_TOO_DEEP'],
  ])('%s', (_title, shape, code) => {
    expect(bodyShapeFault(shape)?.code).toBe(code);
  });

  it('is told in a sentence that names the limit and what weighs most', () => {
    expect(bodyShapeFault({ ...large, shapes: 50_000 })?.message).toBe(
      'Parsing the body would take about 60,002 us, and 5,000,000 bytes may take 50,000: it holds 50,000 sequences of names',
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
