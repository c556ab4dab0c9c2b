import fc from 'fast-check';
import type { Cell } from '../source.ts';
import { pack, unpack } from './packed.ts';

const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: false }) as fc.Arbitrary<Cell>;
const huge = fc.bigInt().filter((cell) => !Number.isSafeInteger(Number(cell)));
const rows = fc.dictionary(fc.string(), fc.oneof(json, fc.double(), huge, fc.string({ unit: 'binary' })));

it('a row that was packed is the same again', () => {
  fc.assert(
    fc.property(rows, (row) => {
      expect(unpack(pack(row))).toEqual(row);
    }),
  );
});

it.each([-0, 1e20, 2 ** 53, -(2 ** 63), 1e300, Number.POSITIVE_INFINITY, Number.NaN, 2n ** 64n])(
  '%s in a row stays what it is',
  (cell) => {
    expect(unpack(pack({ id: '1', cell }))).toEqual({ id: '1', cell });
    expect(unpack(pack({ cell: [{ cell }] }))).toEqual({ cell: [{ cell }] });
  },
);

it('plain rows are texts, which are cheap to write and to read', () => {
  expect(pack({ id: '9007199254740993', n: 1.5, is: true, none: null })).toBe(
    '{"id":"9007199254740993","n":1.5,"is":true,"none":null}',
  );
});
