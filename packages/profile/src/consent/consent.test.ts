import fc from 'fast-check';
import type { Consent, Said } from '../profile.ts';
import {
  channelOf,
  groupIn,
  groupKey,
  mostSaid,
  saidAfter,
  saidIn,
  withoutSaid,
  withSaid,
  withStatements,
} from './consent.ts';

const said: fc.Arbitrary<Said> = fc.record({
  v: fc.constantFrom('subscribed' as const, 'unsubscribed' as const, null),
  at: fc.integer({ min: 1, max: 60 }),
});

/** One statement at a place. */
const statements = fc.uniqueArray(said, { selector: ({ at }) => at, maxLength: 30 });

const all = (some: readonly Said[]): Consent[] => withSaid([], 'email', ...some);

describe('a register', () => {
  it('is the same for every order and grouping of statements', () => {
    fc.assert(
      fc.property(statements, fc.func(fc.nat()), fc.nat(30), (some, rank, cut) => {
        const shuffled = some.toSorted((a, b) => rank(a.at) - rank(b.at));
        const [first, second] = [shuffled.slice(0, cut), shuffled.slice(cut)];
        expect(withSaid(all(first), 'email', ...second)).toEqual(all(some));
      }),
    );
  });

  it('does not change when a statement is repeated', () => {
    fc.assert(
      fc.property(statements, fc.nat(), (some, place) => {
        const again = some[place % Math.max(1, some.length)];
        if (again) expect(withSaid(all(some), 'email', again)).toEqual(all(some));
      }),
    );
  });

  it('shows the last statement', () => {
    fc.assert(
      fc.property(fc.array(said, { minLength: 1 }), (some) => {
        const last = some.reduce((latest, one) => (one.at >= latest.at ? one : latest));
        expect(all(some)).toMatchObject([{ k: 'email', ...last }]);
      }),
    );
  });

  it('keeps a hundred statements, and of old ones that repeat each other the first and the last', () => {
    const day = 24 * 60 * 60 * 1_000_000;
    const nightly = Array.from({ length: 500 }, (_, n): Said => ({ v: 'subscribed', at: n * day }));
    const kept = nightly.reduce<Consent[]>((registers, one) => withSaid(registers, 'email', one), []);
    expect(kept.flatMap(saidIn).map(({ at }) => at / day)).toEqual([0, 499]);
    const toAndFro = nightly.map((one, n): Said => (n % 2 ? one : { ...one, v: 'unsubscribed' }));
    expect(all(toAndFro).flatMap(saidIn)).toEqual(toAndFro.slice(-mostSaid));
  });

  it('keeps fewer statements of each when there are many registers', () => {
    const groups = Array.from({ length: 400 }, (_, n) => groupKey(`g${n}`));
    const flip = (n: number) => groups.map((k) => ({ k, v: n % 2 ? ('subscribed' as const) : null, at: n }));
    const some = Array.from({ length: 30 }, (_, n) => flip(n)).reduce<Consent[]>(withStatements, []);
    expect(some.flatMap(saidIn)).toHaveLength(4000);
    expect(some.every(({ at }) => at === 29)).toBe(true);
  });

  it('marks retracted statements, and shows the others', () => {
    const one: Said = { v: 'subscribed', at: 1 };
    const other: Said = { v: 'unsubscribed', at: 2 };
    const without = withoutSaid(all([one, other]), 'email', other);
    expect(without).toEqual([{ k: 'email', ...one, earlier: [{ ...other, gone: true }] }]);
    expect(withSaid(without, 'email', other)).toEqual(all([one, other]));
    expect(withoutSaid(all([one]), 'email', other)).toEqual(all([one]));
  });

  it('is without the statements up to a stamp', () => {
    const some: Said[] = [1, 2, 3].map((at) => ({ v: at % 2 ? 'subscribed' : 'unsubscribed', at }));
    expect(saidAfter(all(some), 2)).toEqual(all(some.slice(2)));
    expect(saidAfter(all(some), 3)).toEqual([]);
  });

  it.each([
    ['email', 'email', undefined],
    ['push', undefined, undefined],
    [groupKey('news'), 'email', 'news'],
    [groupKey('alerts', 'sms'), 'phone', 'alerts'],
  ])('%s belongs to: %p, and is of the group %p', (k, channel, group) => {
    expect([channelOf(k), groupIn(k)]).toEqual([channel, group]);
  });
});
