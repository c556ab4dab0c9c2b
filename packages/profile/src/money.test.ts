import fc from 'fast-check';
import { revenueOf, sumOf } from './money.ts';

/** A reference for money with two places: cents. */
const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
const inUnits = (value: number): string => {
  const digits = String(Math.abs(value)).padStart(3, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const tidy = (text: string): string => text.replace(/\.?0+$/, '').replace(/^-?$|^-0$/, '0');

describe('revenue', () => {
  it.each([
    [12.12, 1, '1', '12.12'],
    [0.1, 3, '1', '0.3'],
    [19.99, 100, '1.0873', '2173.5127'],
    [1e-7, 1, '1', '0.0000001'],
    [5e-324, 1, '1', `0.${'0'.repeat(323)}5`],
    [1.5e21, 2, '1', '3000000000000000000000'],
    [-3.5, 2, '0.5', '-3.5'],
    [-0, 1, '1', '0'],
    [0, 7, '1.2', '0'],
    [10, 1, '0.10', '1'],
    [1.005, 1, '100', '100.5'],
  ])('of %d times %d at %s is %s', (price, quantity, rate, revenue) => {
    expect(revenueOf(price, quantity, rate)).toBe(revenue);
  });

  it.each([
    [Number.NaN, 1, '1'],
    [Number.POSITIVE_INFINITY, 1, '1'],
    [1, Number.NaN, '1'],
    [1, 1, ''],
    [1, 1, 'much'],
    [1, 1, '1,5'],
    [1, 1, '1e9999999'],
  ])('of %d times %d at %j is none', (price, quantity, rate) => {
    expect(revenueOf(price, quantity, rate)).toBeUndefined();
  });

  it('is exact for every number: it reads back as the price', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (price) => {
        const text = revenueOf(price, 1, '1') ?? '';
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(Number(text)).toBe(price === 0 ? 0 : price);
      }),
      { numRuns: 2000 },
    );
  });

  it('is price times quantity to the cent', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 100 }), (price, quantity) => {
        const exact = BigInt(price) * BigInt(quantity);
        expect(revenueOf(Number(inUnits(price)), quantity, '1')).toBe(tidy(inUnits(Number(exact))));
      }),
    );
  });
});

describe('a sum of money', () => {
  it('has no floating error: a tenth ten times is one', () => {
    expect(sumOf(Array(10).fill('0.1'))).toBe('1');
    expect(sumOf(Array(10).fill(revenueOf(0.1, 1, '1') ?? ''))).toBe('1');
  });

  it('of nothing is zero', () => {
    expect(sumOf([])).toBe('0');
  });

  it('is the exact sum of its cents, in whatever order', () => {
    fc.assert(
      fc.property(fc.array(cents), (all) => {
        const sum = all.reduce((total, value) => total + value, 0);
        expect(sumOf(all.map(inUnits))).toBe(tidy(inUnits(sum)));
        expect(sumOf(all.map(inUnits).toReversed())).toBe(sumOf(all.map(inUnits)));
      }),
    );
  });

  it('may be summed in parts', () => {
    fc.assert(
      fc.property(fc.array(cents), fc.array(cents), (some, others) => {
        const [a, b] = [some.map(inUnits), others.map(inUnits)];
        expect(sumOf([sumOf(a), sumOf(b)])).toBe(sumOf([...a, ...b]));
      }),
    );
  });

  it('of what is no number is a mistake that shows', () => {
    expect(() => sumOf(['1', 'much'])).toThrow(TypeError);
  });
});
