import { inLongRuns } from '@roster/testkit';
import fc from 'fast-check';
import {
  asDoubles,
  holdsLong,
  isWithin64Bits,
  packExact,
  parseExact,
  placeBeyond64,
  stringifyExact,
  unpackExact,
} from './exact-json.ts';

const parse = (text: string): unknown => parseExact(Buffer.from(text));

const long = fc
  .bigInt({ min: -(2n ** 70n), max: 2n ** 70n })
  .filter((whole) => !Number.isSafeInteger(Number(whole)));
/** Doubles that are written as whole numbers within their reach stand for many numbers. */
const isWritten = (value: number): boolean =>
  Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= 1e21;

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => value + 0)
    .filter(isWritten),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
  fc.constant('\ud8001234567890123456789'),
  fc.constant('1234567890123456789'),
);
const name = fc.oneof(fc.string(), fc.constantFrom('__proto__', '1234567890123456789', 'constructor'));
const json = (leaves: fc.Arbitrary<unknown>) =>
  fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, leaves, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 5 }),
    object: fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((all) => Object.fromEntries(all)),
  })).value;

/** The least that any parser would have to do. */
const written = (value: unknown): string => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(written).join(' , ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)} : ${written(inner)}`)
    .join(',')}}`;
};

describe('JSON with long whole numbers', () => {
  it('comes back as it was, at every depth', () => {
    fc.assert(
      fc.property(json(fc.oneof(leaf, long)), (value) => {
        expect(parse(written(value))).toEqual(value);
        expect(parse(stringifyExact(value))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('comes through a queue that knows nothing of them', () => {
    const accepted = json(
      fc.oneof(
        fc.string().filter((text) => text.isWellFormed()),
        fc.maxSafeInteger(),
        long,
      ),
    );
    fc.assert(
      fc.property(accepted, (value) => {
        const arrived = JSON.parse(packExact(value));
        expect(unpackExact(arrived)).toEqual(value);
        // It may have to be queued again.
        expect(unpackExact(JSON.parse(JSON.stringify(arrived)))).toEqual(value);
      }),
    );
  });

  it('without them is what the platform makes of it', () => {
    fc.assert(
      fc.property(json(leaf), (value) => {
        const text = JSON.stringify(value);
        expect(parse(text)).toEqual(JSON.parse(text));
        expect(stringifyExact(value)).toBe(text);
        expect(holdsLong(parse(text))).toBe(false);
      }),
    );
  });

  const digits = '1234567890123456789';
  it.each([
    `{${digits}:1}`,
    `{${digits} \n: 1}`,
    `0${digits}`,
    `-0${digits}`,
    `--${digits}`,
    `+${digits}`,
    `- ${digits}`,
    `${digits}.`,
    `${digits}e`,
    `${digits}-1`,
    `${digits} ${digits}`,
    `"a"${digits}`,
    `a${digits}`,
    `[${digits}`,
    `"${digits}`,
    `[${digits}]]`,
    `{"a":${digits},}`,
  ])('what is no JSON stays none: %s', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(() => parse(text)).toThrow();
  });

  it.each([
    [`${digits}.5`, Number(`${digits}.5`)],
    [`1e${16}`, 1e16],
    [`0.${digits}`, Number(`0.${digits}`)],
    [`1.5e-${'0'.repeat(17)}1`, 0.15],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992n],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['9223372036854775808', 2n ** 63n],
    [`"\\"${digits}"`, `"${digits}`],
  ])('%s', (text, value) => expect(parse(text)).toEqual(value));

  it('knows what has more than 64 bits, and where', () => {
    expect([2n ** 63n - 1n, -(2n ** 63n)].map(isWithin64Bits)).toEqual([true, true]);
    expect([2n ** 63n, -(2n ** 63n) - 1n].map(isWithin64Bits)).toEqual([false, false]);
    expect(placeBeyond64({ a: [1n, { b: 2n ** 63n }] })).toBe('.a[1].b');
    expect(placeBeyond64({ a: [2n ** 62n] })).toBeUndefined();
    expect(asDoubles({ a: [2n ** 62n, 'x'] })).toEqual({ a: [2 ** 62, 'x'] });
  });

  it('takes no longer than a parser: 6 MB of long numbers', () => {
    const body = Buffer.from(`[${Array.from({ length: 300_000 }, () => digits).join(',')}]`);
    const { user } = process.cpuUsage();
    parseExact(body);
    const ms = (process.cpuUsage().user - user) / 1000;
    inLongRuns(() => expect(ms / body.length).toBeLessThan(0.0005));
  });
});
