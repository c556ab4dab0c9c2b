import { fold } from '../fold/fold.ts';
import { newProfile, type Profile } from '../profile.ts';
import { mergeProfiles } from './merge-profiles.ts';
import { isAbout, keepOrigins, markOrigins } from './origins.ts';

const visits = { kind: 'step', name: 'visits', step: { inc: 1 } } as const;
const colour = (value: string) => ({ kind: 'set', name: 'colour', value }) as const;
const name = (value: string) => ({ kind: 'field', name: 'first_name', value }) as const;
type Told = typeof visits | ReturnType<typeof colour> | ReturnType<typeof name>;

const person = (id: string, ...told: Told[]): Profile => fold(newProfile(id, 'demo', 1), told, 1, 0).profile;
const merged = (kept: Profile, away: Profile): Profile =>
  markOrigins(
    away._id,
    kept,
    mergeProfiles(kept, away, () => undefined),
  );

const theirs = (profile: Profile, id: string): string[] =>
  [visits, colour('x'), name('x')].filter(isAbout(profile, id)).map((change) => change.name);

describe('a value that came over in a merge', () => {
  it("has an origin, and the kept person's own values have none", () => {
    const profile = merged(
      person('kept', colour('red')),
      person('away', visits, colour('blue'), name('Ada')),
    );
    expect(theirs(profile, 'away')).toEqual(['visits', 'first_name']);
    expect(theirs(profile, 'kept')).toEqual([]);
  });

  it('keeps all origins through a chain of merges, and no others', () => {
    const middle = merged(person('middle', colour('red')), person('away', visits, colour('blue')));
    const last = merged(person('kept'), middle);
    expect(theirs(last, 'away')).toEqual(['visits']);
    expect(theirs(last, 'middle')).toEqual(['visits', 'colour']);
  });

  it('keeps its origin when it is stepped, and loses it when it is set', () => {
    const profile = merged(person('kept'), person('away', visits, colour('blue')));
    const later = fold(profile, [visits, colour('red')], 2, 0).profile;
    expect(theirs(later, 'away')).toEqual(['visits']);
    expect(theirs(keepOrigins(profile, later), 'away')).toEqual(['visits', 'colour']);
  });
});
