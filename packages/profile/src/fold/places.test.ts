import { newProfile, type Profile } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';
import { newWork } from '../work.ts';
import { fold } from './fold.ts';
import { placesIn, unread, withOnly, withRest } from './places.ts';

const person = (): Profile => ({
  ...newProfile('p', 'demo', 1),
  custom: [{ k: 'a', v: 1, at: 1 }, unread, { k: 'b', v: 2, at: 1 }, unread],
});

const valuesOf = ({ custom }: Profile) => custom.map((one) => (one === unread ? 'unread' : one.v));

describe('a profile of which only some attributes were read', () => {
  it('changes those, and leaves the others where they are', () => {
    const before = person();
    const changes = [
      { kind: 'set', name: 'b', value: 3 },
      { kind: 'set', name: 'new', value: 4 },
    ] as const;
    const { profile } = fold(before, changes, 2, 0, { places: placesIn(before) });
    expect(valuesOf(profile)).toEqual([1, 'unread', 3, 'unread', 4]);
  });

  it('can be cut down to what is named, and be put together again', () => {
    const before = person();
    const places = placesIn(before);
    const part = withOnly(before, new Set(['b', 'new']), places);
    expect(part.custom.map(({ k }) => k)).toEqual(['b']);
    const changed = {
      ...part,
      custom: [
        { k: 'b', v: 9, at: 2 },
        { k: 'new', v: 1, at: 2 },
      ],
    };
    expect(valuesOf(withRest(changed, before, places))).toEqual([1, 'unread', 9, 'unread', 1]);
    expect(places.get('new')).toBe(4);
  });
});

describe('the steps of a request', () => {
  const list = Array.from({ length: 5000 }, (_, n) => ({ n }));
  const before: Profile = { ...newProfile('p', 'demo', 1), custom: [{ k: 'list', v: list, at: 1 }] };
  const step = (n: number): ProfileChange => ({
    kind: 'step',
    name: 'list',
    step: { objects: { remove: [{ key: 'n', value: n }] } },
  });
  const steps = Array.from({ length: 1000 }, (_, n) => step(n));

  it('are bounded by the work that they are; what is too much never happened, and is named', () => {
    const work = newWork();
    let profile = before;
    let refused = 0;
    for (const [n, one] of steps.entries()) {
      const folded = fold(profile, [one], 10, n, { work });
      profile = folded.profile;
      refused += folded.notes.filter(({ reason }) => reason === 'too_much_work').length;
    }
    expect(refused).toBeGreaterThan(0);
    expect(profile.custom[0]?.v).toHaveLength(5000 - (1000 - refused));
  });

  it('are all carried out where nothing bounds them: the test would notice', () => {
    const { notes } = fold(before, steps.slice(0, 300), 10, 0);
    expect(notes).toEqual([]);
  });
});
