import fc from 'fast-check';
import {
  consentsToKeep,
  crossedBy,
  effectiveConsents,
  orphanLife,
  type Said,
  withConsents,
} from './consent.ts';
import { fold } from './fold.ts';
import { type Consent, newProfile, type Profile } from './profile.ts';

const day = 24 * 60 * 60 * 1_000_000;
const got = 1_763_000_000_000_000;

const person = (...own: Consent[]): Profile => ({
  ...newProfile('p', 'demo', got),
  consents: own,
  fields: { email: { v: 'a@b.co', at: got }, phone: { v: '+15005550006', at: got + 10 } },
});
const said = (at: number, v: Consent['v'] = 'unsubscribed', orphan?: true): Said => ({
  k: 'email',
  v,
  at,
  ...(orphan && { orphan }),
});
const effective = (...args: Parameters<typeof effectiveConsents>): Consent['v'] | undefined =>
  effectiveConsents(...args).find(({ k }) => k === 'email')?.v;

describe('what was said about an address', () => {
  it.each<[string, Said, Consent['v'] | undefined]>([
    ['since the person has it, applies', said(got), 'unsubscribed'],
    ['before that, does not', said(got - 1), undefined],
    ['while nobody had it, applies for 30 days', said(got - 30 * day, 'subscribed', true), 'subscribed'],
    ['while nobody had it, longer ago, does not', said(got - 30 * day - 1, 'subscribed', true), undefined],
    ['as a removal, applies too', said(got, null), null],
  ])('%s', (_, statement, v) => {
    expect(effective(person(), { email: [statement] })).toBe(v);
  });

  it('goes on applying when the person sends the address again', () => {
    const again = fold(person(), [{ kind: 'field', name: 'email', value: 'A@b.co' }], got + 100, 0).profile;
    expect(effective(again, { email: [said(got + 50)] })).toBe('unsubscribed');
  });

  it('does not apply when the person has no address', () => {
    const gone = fold(person(), [{ kind: 'field', name: 'email', value: null }], got + 100, 0).profile;
    expect(effective(gone, { email: [said(got + 200)] })).toBeUndefined();
  });

  it('counts when it is later than what the person said, and not when it is earlier', () => {
    const own = { k: 'email', v: 'opted_in' as const, at: got + 5 };
    expect(effective(person(own), { email: [said(got + 6)] })).toBe('unsubscribed');
    expect(effective(person(own), { email: [said(got + 4)] })).toBe('opted_in');
  });

  it('about the email and about the phone: the latest counts, each since its own address is there', () => {
    expect(effective(person(), { email: [said(got + 20)], phone: [said(got + 30, 'subscribed')] })).toBe(
      'subscribed',
    );
    expect(effective(person(), { email: [said(got + 2)], phone: [said(got + 5, 'subscribed')] })).toBe(
      'unsubscribed',
    );
  });

  it('lasts 30 days without an owner', () => {
    expect(orphanLife).toBe(30 * day);
  });
});

describe('what was said about an address is marked', () => {
  it.each<[string, Consent[], number | undefined]>([
    ['when something else counts for one who has it', [{ k: 'email', v: 'opted_in', at: got + 9 }], got + 9],
    ['when nothing counts for them', [], got],
    ['not when the same counts', [{ k: 'email', v: 'unsubscribed', at: got + 9 }], undefined],
  ])('%s', (_, counts, crossed) => {
    expect(crossedBy([said(got)], counts)[0]?.crossed).toBe(crossed);
  });

  it('once', () => {
    const marked = crossedBy([said(got)], []);
    expect(crossedBy(marked, [])).toBe(marked);
  });
});

const statements = fc.array(
  fc.record({
    k: fc.constantFrom('email', 'group:1', 'group:2'),
    v: fc.constantFrom('subscribed' as const, 'unsubscribed' as const, null),
    at: fc.integer({ min: got - 50, max: got + 50 }),
  }),
);
const byKey = (a: Consent, b: Consent) => (a.k < b.k ? -1 : 1);

describe('what has to be kept when an address goes away', () => {
  it('is what came from it', () => {
    const own = { k: 'email', v: 'opted_in' as const, at: got + 5 };
    const kept = consentsToKeep(person(own), {
      email: [said(got + 6), { ...said(got + 7), k: 'group:1' }, { ...said(got - 5), k: 'group:2' }],
    });
    expect(kept.toSorted(byKey)).toEqual([
      { k: 'email', v: 'unsubscribed', at: got + 6 },
      { k: 'group:1', v: 'unsubscribed', at: got + 7 },
    ]);
  });

  it('leaves what counts for the person as it was', () => {
    const own = fc.uniqueArray(
      statements.map((all) => all[0]).filter((one) => one !== undefined),
      { selector: ({ k }) => k },
    );
    fc.assert(
      fc.property(own, statements, statements, (registers, email, phone) => {
        const before = person(...registers);
        const after = withConsents(before, consentsToKeep(before, { email, phone }));
        const stampOf = (profile: Profile, all: { email?: Said[]; phone?: Said[] }) =>
          effectiveConsents(profile, all)
            .map(({ k, at }) => ({ k, at }))
            .toSorted((a, b) => (a.k < b.k ? -1 : 1));
        expect(stampOf(after, {})).toEqual(stampOf(before, { email, phone }));
        expect(stampOf(after, { phone })).toEqual(stampOf(before, { email, phone }));
        expect(withConsents(after, consentsToKeep(before, { email, phone }))).toEqual(after);
      }),
    );
  });

  it('is always the latest of all that applies', () => {
    fc.assert(
      fc.property(statements, (email) => {
        for (const { k, at } of effectiveConsents(person(), { email })) {
          const all = email.filter((one) => one.k === k && one.at >= got);
          expect(at).toBe(Math.max(...all.map((one) => one.at)));
        }
      }),
    );
  });
});
