/** Files that other libraries have written: `fixtures/parquet/make.py` says which and how. */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../source.ts';
import { useParquet } from './testbed.ts';

const fixtures = join(__dirname, '../../fixtures/parquet');
const names = readdirSync(fixtures).filter((name) => name.endsWith('.parquet'));

const { inFolder, rowsOf: rowsIn } = useParquet();

const rowsOf = (name: string) => {
  copyFileSync(join(fixtures, name), inFolder('a.parquet'));
  return rowsIn();
};

/** How many digits of a second a writer keeps. */
interface Digits {
  readonly updated_at: number;
  readonly at_ms: number;
  readonly local_us: number;
}

const moment = (time: string, digits: number): string => `${time.padEnd(20 + digits, '0')}Z`;

const person = (n: number, { updated_at, at_ms, local_us }: Digits, more: Row = {}): Row => ({
  id: 9_007_199_254_740_992n + BigInt(n),
  updated_at: moment(`2026-01-31T10:0${n}:00.123456`, updated_at),
  at_ms: moment(`2026-01-31T10:0${n}:00.123`, at_ms),
  local_us: moment(`2026-01-31T10:0${n}:00.000001`, local_us),
  born: '2000-02-29',
  price: 19.99,
  amount: -12_345_678_901.2345,
  // The nearest number, as in JSON.
  huge: -1.2345678901234569e27,
  plan: n % 2 === 0 ? 'free' : 'gold',
  name: `Grüße 😀 ${n}`,
  tags: ['a', null, 'b'],
  address: { city: 'Köln', zip: 50_667 },
  is_vip: n % 2 === 0,
  ratio: 0.1,
  visits: -n,
  raw: '\\x00ff',
  ...more,
});

const nobody = (digits: Digits): Row =>
  Object.fromEntries(
    Object.entries(person(4, digits)).map(([name, value]) => [
      name,
      ['id', 'updated_at'].includes(name) ? value : null,
    ]),
  );

const people = (digits: Digits): readonly Row[] => [
  person(1, digits),
  person(2, digits, { tags: [], address: { city: null, zip: 1 }, ratio: 'Infinity' }),
  person(3, digits, { born: '1969-12-31', at_ms: moment('1969-12-31T23:59:59.999', digits.at_ms) }),
  nobody(digits),
  person(5, digits, { price: -0.01, huge: 1e-10, name: '' }),
  person(6, digits, { tags: null, address: null }),
];

const usual: Digits = { updated_at: 6, at_ms: 3, local_us: 6 };
const micros: Digits = { ...usual, at_ms: 6 };
const nanos: Digits = { updated_at: 9, at_ms: 9, local_us: 9 };

const digitsOf: Readonly<Record<string, Digits>> = {
  // Moments without a zone are no INT96 there.
  'spark-snappy-int96.parquet': { ...nanos, local_us: 6 },
};

const refused = 'pyarrow-delta-byte-array.parquet';

const isWhole = (name: string): boolean => name !== 'pyarrow-more-types.parquet' && name !== refused;

it.each(names.filter(isWhole))('%s', async (name) => {
  const inMicros = name.startsWith('duckdb') || name.startsWith('spark');
  expect(await rowsOf(name)).toEqual(people(digitsOf[name] ?? (inMicros ? micros : usual)));
});

it(`${refused} has an encoding that is refused, and the problem names it and the column`, async () => {
  await expect(rowsOf(refused)).rejects.toMatchObject({
    code: 'wrong_type',
    message:
      "a.parquet can't be read as Parquet: the column name has the encoding DELTA_BYTE_ARRAY, which is not read",
  });
});

it('pyarrow-more-types.parquet', async () => {
  const [first, second] = await rowsOf('pyarrow-more-types.parquet');
  const expected = {
    id: 'a',
    updated_at: '2026-01-31T10:00:00.123456789Z',
    local_ns: '2026-01-31T10:00:00.000000001Z',
    clock_ms: '23:59:59.999',
    clock_us: '00:00:00.000001',
    clock_ns: '00:00:00.000000001',
    lasted: 1_000_000,
    half: 0.5,
    small: 0.10000000149011612,
    count: 18_446_744_073_709_551_615n,
    labels: { one: 1, two: null },
    orders: [{ sku: 'lamp', at: '2026-01-31T10:00:00.000001Z' }, null, { sku: null, at: null }],
    matrix: [[1, 9_007_199_254_740_993n], [], null],
    key: '00112233-4455-6677-8899-aabbccddeeff',
  };
  expect(first).toEqual(expected);
  const nothing = Object.fromEntries(Object.keys(expected).map((name) => [name, null]));
  expect(second).toEqual({ ...nothing, id: 'b', updated_at: expected.updated_at });
});
