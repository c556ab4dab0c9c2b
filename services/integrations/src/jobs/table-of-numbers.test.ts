import { createNumbers } from './table-of-numbers.ts';

/** Those that somebody has chosen because they meet where the last 32 bits say the place. */
const chosen = Array.from({ length: 5_000 }, (_, n) => (BigInt(n + 1) << 32n) | 7n);

const filled = (multiplier?: bigint) => {
  const numbers = createNumbers(chosen.length, multiplier);
  for (const [n, key] of chosen.entries()) numbers.set(key, n + 1);
  return numbers;
};

it('finds what was set last, and nothing else', () => {
  const numbers = filled();
  expect(chosen.every((key, n) => numbers.get(key) === n + 1)).toBe(true);
  expect([0n, 7n, 2n ** 64n - 1n].map(numbers.get)).toEqual([0, 0, 0]);
  numbers.set(7n, 1);
  numbers.set(7n, 2);
  expect(numbers.get(7n)).toBe(2);
});

it('does not walk far, whatever keys somebody has chosen', () => {
  const far = (numbers: ReturnType<typeof filled>) => Math.max(...chosen.map(numbers.stepsTo));
  expect(far(filled(0x9e3779b97f4a7c15n))).toBeLessThan(500);
  // Without a secret all of them meet.
  expect(far(filled(1n << 32n))).toBe(chosen.length - 1);
});
