import { leastWorkMs, workMs } from '@roster/testkit';
import { counted, parsed } from './understand.ts';

const orRefused = (work: () => unknown) => (): void => {
  try {
    work();
  } catch {}
};

const manyOf = (count: number, one: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => one(n)).join(',');

/** The same names in another order each time. */
const shuffled = (names: readonly string[]): string => {
  const keyed = names.map((name): [number, string] => [Math.random(), name]).sort(([a], [b]) => a - b);
  return `{${keyed.map(([, name]) => `"${name}":1`).join(',')}}`;
};
const names = (count: number) => Array.from({ length: count }, (_, n) => `k${n}`);
const members = (count: number) => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join(',');

/** Of 120 members one more is no whole number than in the object before. */
const turning = (n: number): string =>
  `{${Array.from({ length: 120 }, (_, m) => `"k${Math.floor(n / 120)}-${m}":${m <= n % 120 ? 1.5 : 1}`).join(',')}}`;
const mostMs = (bytes: Buffer) => 1 + (bytes.length * 40) / 1e6;

describe('a costly body', () => {
  it.each([
    ['560,000 names', `{"events":[{"x":{${members(560_000)}}}]}`],
    ['two million objects', `[${Array(2_000_000).fill('{}').join(',')}]`],
    ['2.9 million levels', '['.repeat(2_900_000) + ']'.repeat(2_900_000)],
    ['objects of which each has a shape of its own', `[${manyOf(160_000, (n) => `{"a${n}":{"b${n}":1}}`)}]`],
    ['70 KB of such objects', `[${manyOf(5_000, (n) => `{"a${n}":1}`)}]`],
    ['objects of 30 names in any order', `[${manyOf(10_000, () => shuffled(names(30)))}]`],
    ['objects of 100 names in any order', `[${manyOf(200, () => shuffled(names(100)))}]`],
    ['numbers that are whole first, 120 times in turn', `[${manyOf(2_000, turning)}]`],
  ])('of %s is refused for less than 40 ns a byte', (_title, text) => {
    const bytes = Buffer.from(text);
    const refused = leastWorkMs(
      5,
      orRefused(() => counted(bytes)),
    );
    expect(() => counted(bytes)).toThrow(/would take about|too deeply/);
    expect(refused).toBeLessThan(mostMs(bytes));
    // The control: without a scan the parser would run, and for longer. A small body it knows when it sees it again.
    if (bytes.length < 1_000_000) return;
    const parsing = workMs(orRefused(() => parsed(bytes)));
    expect(parsing).toBeGreaterThan(1.5 * refused);
  });
});
