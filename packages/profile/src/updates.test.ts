import fc from 'fast-check';
import { newProfile, type Profile, type Stamp } from './profile.ts';
import { mostUpdates, updatedBefore, updatesWith } from './updates.ts';

const second = 1_000_000;

const withContact = (at: Stamp): Profile => ({
  ...newProfile('p1', 'demo', at),
  email_key: 'a@b.co',
  fields: { email: { v: 'a@b.co', at } },
});

const changedAt = (profile: Profile, stamps: readonly Stamp[]): Profile => {
  let changed = profile;
  for (const at of stamps) changed = { ...changed, ...updatesWith(changed, at) };
  return changed;
};

/** Seconds after the person began. */
const seconds = (...all: number[]): Stamp[] => all.map((one) => one * second);

const updatesAfter = (...all: number[]): number[] | undefined =>
  changedAt(withContact(0), seconds(...all)).updates?.map((at) => at / second);

describe('the updates of a person', () => {
  it('are those before the newest one, oldest first', () => {
    expect(updatesAfter()).toBeUndefined();
    expect(updatesAfter(10)).toEqual([0]);
    expect(updatesAfter(10, 20, 20)).toEqual([0, 10]);
    expect(updatesAfter(20, 10, 10)).toEqual([0, 10]);
  });

  it('are those of a minute, and the one before', () => {
    expect(updatesAfter(100, 200, 210, 265)).toEqual([200, 210]);
    expect(updatesAfter(100, 200, 300)).toEqual([200]);
  });

  it('have a bound', () => {
    const all = Array.from({ length: 20 }, (_, n) => n + 1);
    expect(updatesAfter(...all)).toEqual(all.slice(-1 - mostUpdates, -1));
  });

  it('are kept only of people who can share a contact', () => {
    expect(changedAt(newProfile('p1', 'demo', 1), [2, 3])).toEqual({
      ...newProfile('p1', 'demo', 1),
      updated_at: 3,
    });
  });

  it('tell the last change up to a stamp, in whatever order the changes came', () => {
    const stamps = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: mostUpdates });
    fc.assert(
      fc.property(stamps, fc.integer({ min: 0, max: 31 }), (all, at) => {
        const person = changedAt(withContact(0), seconds(...all));
        const before = all.filter((one) => one <= at);
        expect(updatedBefore(person, at * second)).toBe(Math.max(0, ...before) * second);
      }),
    );
  });
});

describe('a person whose earlier changes are forgotten', () => {
  const person = { updated_at: 90, fields: { email: { at: 80, since: 20 }, phone: { at: 30 } } };

  it.each([
    [95, 90],
    [50, 30],
    [25, 20],
    [10, 0],
  ])('was changed up to %i at least when they got a contact: %i', (at, last) => {
    expect(updatedBefore(person, at)).toBe(last);
  });
});
