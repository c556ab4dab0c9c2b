import fc from 'fast-check';
import { add, highest, keyOf, lowest, narrowed } from './whole.ts';

const whole = fc.bigInt({ min: lowest, max: highest }).map(narrowed);
const within = (sum: bigint): bigint => (sum > highest ? highest : sum < lowest ? lowest : sum);

describe('whole numbers within 64 bits', () => {
  it('add up exactly, and stop at the ends', () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const exact = BigInt(a) + BigInt(b);
        expect(add(a, b)).toEqual({ sum: narrowed(within(exact)), isCut: exact !== within(exact) });
      }),
    );
  });

  it('add up exactly where they nearly cancel each other out', () => {
    const added = add(9053357326015265281n, -9062364525270005250n);
    expect(added).toEqual({ sum: -9007199254739969, isCut: false });
  });

  it('are numbers wherever a number holds them', () => {
    fc.assert(
      fc.property(whole, (value) => {
        expect(
          typeof value === 'number' ? Number.isSafeInteger(value) : !Number.isSafeInteger(Number(value)),
        ).toBe(true);
      }),
    );
  });

  it('with a fraction add up as doubles do', () => {
    expect(add(0.25, 2n ** 60n)).toEqual({ sum: 2 ** 60, isCut: false });
    expect(add(0.1, 0.2)).toEqual({ sum: 0.1 + 0.2, isCut: false });
  });

  it('are not the same as their digits as text', () => {
    expect(keyOf({ a: 2n ** 60n })).not.toBe(keyOf({ a: String(2n ** 60n) }));
    expect(keyOf({ a: 2n ** 60n })).toBe(keyOf({ a: 2n ** 60n }));
  });
});
