import { scan } from './scan.ts';

/** The seed of the hash is fixed: with a drawn one, two of 127 names share a slot in 3 of 100 runs. */
const scanned = (text: string) => scan(Buffer.from(text), 7);

describe('the scan of a body', () => {
  it.each([
    ['{}', { values: 1, containers: 1, shapes: 0, texts: 0, depth: 1 }],
    ['{"a":1,"b":[1,2],"c":{"a":"x"}}', { values: 6, containers: 3, shapes: 4, texts: 4, depth: 2 }],
    ['{"a":"{[,:\\"{"}', { values: 1, containers: 1, shapes: 1, texts: 2, depth: 1 }],
    ['[[[[]]]]', { values: 4, containers: 4, shapes: 0, texts: 0, depth: 4 }],
    ['{"\\n":1,"\\t":2,"\\\\":3}', { values: 3, containers: 1, shapes: 3, texts: 3, depth: 1 }],
    [
      '["ten bytes!","ten bytes!","more than ten"]',
      { values: 3, containers: 1, shapes: 0, texts: 1, depth: 1 },
    ],
    ['[{"a":1,"b":2},{"a":3,"b":4}]', { values: 6, containers: 3, shapes: 2, texts: 2, depth: 2 }],
    ['[{"a":1,"b":2},{"b":3,"a":4}]', { values: 6, containers: 3, shapes: 4, texts: 2, depth: 2 }],
    ['[{"a":1,"b":2},{"a":3}]', { values: 5, containers: 3, shapes: 3, texts: 2, depth: 2 }],
  ])('counts %s', (text, counts) => {
    const none = { crowd: 0, longNumbers: 0 };
    expect(scanned(text)).toEqual({ bytes: Buffer.byteLength(text), ...none, ...counts });
  });

  const members = (count: number) =>
    Array.from({ length: count }, (_, n) => `"name-number-${n}":1`).join(',');

  it.each([
    [127, { shapes: 127, crowd: 0, texts: 0 }],
    [128, { shapes: 0, crowd: 128, texts: 128 }],
    [129, { shapes: 0, crowd: 129, texts: 129 }],
    [5000, { shapes: 0, crowd: 5000 }],
  ])('an object of %i members, the same twice', (count, counts) => {
    expect(scanned(`{${members(count)}}`)).toMatchObject(counts);
    expect(scanned(`[{${members(count)}},{${members(count)}}]`)).toMatchObject({
      ...counts,
      crowd: 2 * counts.crowd,
    });
  });

  it.each([
    ['whole numbers only', '[{"a":1,"b":2},{"a":3,"b":-4}]', 2],
    ['fractions only', '[{"a":1.5,"b":2},{"a":3.5,"b":2}]', 2],
    ['a first member that is whole and then is not: both shapes anew', '[{"a":1,"b":2},{"a":1.5,"b":2}]', 4],
    ['a last member that is whole and then is not: one shape anew', '[{"a":1,"b":2},{"a":1,"b":-2.5}]', 3],
    ['once it is so it stays', '[{"a":1},{"a":1.5},{"a":1},{"a":2e9},{"a":7}]', 2],
    ['an exponent, a number of ten digits', '[{"a":1},{"a":1e2},{"b":1},{"b":1234567890}]', 4],
    ['numbers in arrays have no part in it', '[{"a":1,"b":[1]},{"a":1,"b":[1.5]},{"a":1,"b":["1.5"]}]', 2],
  ])('numbers: %s', (_, text, shapes) => expect(scanned(text).shapes).toBe(shapes));

  it.each(['shapes', 'texts'] as const)('counts %s nearly exactly up to the limit', (of) => {
    const values = Array.from({ length: 40_000 }, (_, n) =>
      of === 'shapes' ? `{"name-number-${n}":1}` : `"${n}"`,
    );
    const counts = scanned(`[${values.join(',')}]`);
    expect(counts[of]).toBeGreaterThan(36_000);
    expect(counts[of]).toBeLessThanOrEqual(40_000);
  });

  it.each(['{"a%":1}', '"%"'])('looks no further when there are too many of %s', (one) => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => one.replace('%', String(n))).join(',');
    const { shapes, texts, values } = scanned(`[${many(300_000)}]`);
    expect(shapes > 41_000 || texts > 124_000).toBe(true);
    expect(values).toBeLessThan(250_000);
  });

  it.each([
    ['{"a":1234567890123456}', true],
    ['[[-1234567890123456789]]', true],
    ['1234567890123456', true],
    ['{"a":123456789012345}', false],
    ['{"a":"1234567890123456789"}', false],
    ['{"1234567890123456789":1}', false],
    ['["\\"1234567890123456789"]', false],
    ['[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7]', false],
  ])('sees long numbers: %s', (text, expected) => expect(scanned(text).longNumbers > 0).toBe(expected));

  it('forgets the names of the body before', () => {
    for (let n = 0; n < 70_000; n++) scan(Buffer.from('{"a":1}'));
    expect(scanned('{"a":1,"b":1}')).toMatchObject({ shapes: 2, texts: 2 });
  });

  it('looks no further than the depth at which a body is refused', () => {
    expect(scanned(`${'['.repeat(5000)}${'{"a":1},'.repeat(10)}`)).toMatchObject({ depth: 1001, shapes: 0 });
  });

  it.each(['', '"', '{"a', '{"a\\', ':::', ']]]]', '\\"'])('ends on what is no JSON: %s', (text) => {
    expect(() => scanned(text)).not.toThrow();
  });
});
