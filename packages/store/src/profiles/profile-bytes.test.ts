import { bytesOf } from '@roster/profile';
import fc from 'fast-check';
import mongoose from 'mongoose';

const { calculateObjectSize } = mongoose.mongo.BSON;

/** Names without NUL: the database takes no others. */
const names = fc.string({ unit: 'binary' }).map((name) => name.replaceAll('\0', ''));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 20 }),
    tie('object'),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 10, noNullPrototype: true }),
}));

describe('the bytes of a part of a profile', () => {
  it('are never fewer than the database takes', () => {
    fc.assert(
      fc.property(values.object, (object) => {
        const [counted, taken] = [bytesOf(object), calculateObjectSize(object as object)];
        expect(counted).toBeGreaterThanOrEqual(taken);
      }),
      { numRuns: 2000 },
    );
  });

  it('are exact for plain names, texts and numbers', () => {
    const profile = {
      custom: Array.from({ length: 2000 }, (_, n) => ({ k: `name-${n}`, v: n / 3, at: 1.7e15 + n })),
      fields: { first_name: { v: 'Ada', at: 7 } },
    };
    expect(bytesOf(profile)).toBe(calculateObjectSize(profile));
  });
});
