import fc from 'fast-check';
import { isTooLarge, jsonBytes, mostNestedBytes } from './json-bytes.ts';
import type { Value } from './profile.ts';

describe('the bytes of a value as JSON', () => {
  it('are as many as JSON writes', () => {
    const values = fc.oneof(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\n', '\u0001', '"', '\\', '\u007f', 'ß', '€', '😀', 'a') }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(values, (value) => {
        expect(jsonBytes(value as Value)).toBe(Buffer.byteLength(JSON.stringify(value)));
      }),
      { numRuns: 2000 },
    );
  });

  it('are too many beyond 100 KB, for what has members or elements', () => {
    const whole = { a: 'x'.repeat(mostNestedBytes - '{"a":""}'.length) };
    expect([isTooLarge(whole), isTooLarge([whole]), isTooLarge('x'.repeat(200_000))]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
