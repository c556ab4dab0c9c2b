import fc from 'fast-check';
import { type Keyed, keyOf, keysOf, partsOf } from './key.ts';

const times = { min: Date.UTC(0, 0), max: Date.UTC(3000, 0) };
const keyed: fc.Arbitrary<Keyed> = fc.record({
  profile: fc.stringMatching(/^[0-9a-f]{24}$/),
  time: fc.integer(times).map((ms) => new Date(ms)),
  at: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  request: fc.string(),
  index: fc.integer({ min: 0, max: 65_535 }),
});

describe('the key of an occurrence', () => {
  it('has 30 bytes and tells profile, time, stamp and place', () => {
    fc.assert(
      fc.property(keyed, (row) => {
        const { request: _, ...parts } = row;
        expect(keyOf(row)).toHaveLength(30);
        expect(partsOf(keyOf(row))).toEqual(parts);
        expect(keyOf(row)).toEqual(keyOf({ ...row }));
      }),
    );
  });

  it('orders the occurrences of a person by time, those before 1970 too, then by stamp and place', () => {
    fc.assert(
      fc.property(keyed, keyed, (one, other) => {
        const both = { ...other, profile: one.profile };
        const order = one.time.getTime() - both.time.getTime() || one.at - both.at;
        if (order !== 0) expect(Math.sign(Buffer.compare(keyOf(one), keyOf(both)))).toBe(Math.sign(order));
      }),
    );
  });

  it('is another one for another request with the same stamp', () => {
    const row = { profile: '0'.repeat(24), time: new Date(0), at: 1, index: 0 };
    expect(keyOf({ ...row, request: 'r1' })).not.toEqual(keyOf({ ...row, request: 'r2' }));
  });

  it('lies among the keys of its profile, and of no other one, from its time on', () => {
    fc.assert(
      fc.property(keyed, keyed, (row, other) => {
        const lies = (profile: string, since?: Date) => {
          const { $gte, $lte } = keysOf(profile, since && { since });
          return Buffer.compare($gte, keyOf(row)) <= 0 && Buffer.compare(keyOf(row), $lte) <= 0;
        };
        expect(lies(row.profile)).toBe(true);
        expect(lies(row.profile, row.time)).toBe(true);
        expect(lies(row.profile, new Date(row.time.getTime() + 1))).toBe(false);
        expect(lies(other.profile)).toBe(other.profile === row.profile);
      }),
    );
  });

  it('is refused for anything but a service id', () => {
    const row = { profile: 'somebody', time: new Date(0), at: 1, request: 'r', index: 0 };
    expect(() => keyOf(row)).toThrow('somebody is not a service id');
  });
});
