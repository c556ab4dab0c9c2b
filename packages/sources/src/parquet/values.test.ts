import fc from 'fast-check';
import { parsers } from './values.ts';

/** By whole numbers only. */
const exactly = (nanos: bigint): string => {
  const fraction = BigInt.asUintN(64, ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n);
  const seconds = (nanos - fraction) / 1_000_000_000n;
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, -5);
  return `${whole}.${String(fraction).padStart(9, '0')}Z`;
};

it('moments of all 64 bits keep each of their digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanos) => {
      expect(parsers.timestampFromNanoseconds?.(nanos)).toBe(exactly(nanos));
    }),
  );
});

it.each([
  [-1n, '1969-12-31T23:59:59.999999Z'],
  [-1_000_000n, '1969-12-31T23:59:59.000000Z'],
  [0n, '1970-01-01T00:00:00.000000Z'],
  [8_640_000_000_000_000_999_999n, '8640000000000000999999'],
])('%d microseconds are %s', (micros, moment) => {
  expect(parsers.timestampFromMicroseconds?.(micros)).toBe(moment);
});
