import { bytesOf, mostProfileBytes } from './bytes.ts';
import { fold, type Note, type Size } from './fold/fold.ts';
import { newProfile, type Value } from './profile.ts';
import type { ProfileChange } from './reading/change.ts';

const set = (name: string, value: Value): ProfileChange => ({ kind: 'set', name, value });
const blank = newProfile('p', 'demo', 1);

describe('the bytes of a value', () => {
  it.each([
    ['nothing', undefined, 0],
    ['null', null, 1],
    ['a text', 'ada', 8],
    ['a text of four bytes a character', '🙂', 9],
    ['a small whole number', 7, 4],
    ['a large one', 2 ** 40, 8],
    ['a fraction', 0.5, 8],
    ['an empty object', {}, 5],
    ['a member that is not there', { a: undefined }, 5],
    ['an array', [1, 2], 19],
  ])('of %s', (_, value, bytes) => expect(bytesOf(value)).toBe(bytes));
});

describe('a profile whose bytes are counted', () => {
  const almost = mostProfileBytes - 100;
  const room = (bytes: number) => ({ size: { bytes, most: mostProfileBytes } });

  it('takes what there is room for, and counts it', () => {
    const { profile, size, notes } = fold(blank, [set('a', 1)], 2, 0, room(1000));
    expect(profile.custom).toEqual([{ k: 'a', v: 1, at: 2 }]);
    expect(size?.bytes).toBe(1000 + bytesOf(profile.custom[0]));
    expect(notes).toEqual([]);
  });

  it('takes nothing that would make it too large; the rest of the entry counts', () => {
    const sent: ProfileChange[] = [
      set('a', 'x'.repeat(200)),
      { kind: 'field', name: 'first_name', value: 'Ada' },
    ];
    const { profile, notes, isFull } = fold(blank, sent, 2, 0, room(almost));
    expect(profile).toMatchObject({ custom: [], fields: { first_name: { v: 'Ada' } } });
    expect(notes).toEqual([{ field: 'a', reason: 'profile_full' }]);
    expect(isFull).toBeUndefined();
  });

  it('is the same as before when nothing had room', () => {
    const tokens = [{ k: 'k', v: { token: 't'.repeat(200) } }];
    const sent: ProfileChange[] = [
      set('a', 'x'.repeat(200)),
      { kind: 'list', name: 'push_tokens', items: tokens },
    ];
    expect(fold(blank, sent, 2, 0, room(almost))).toMatchObject({
      profile: blank,
      isFull: true,
      size: { bytes: almost },
    });
  });

  it('may be estimated far from the bound, and is counted before anything is refused', () => {
    const most = 10_000;
    let profile = blank;
    let size: Size = { bytes: 0, most, isWhole: true };
    const refused: Note[] = [];
    for (let n = 0; n < 500; n++) {
      const folded = fold(profile, [set(`a${n % 50}`, 'x'.repeat(100))], 2 + n, 0, { size });
      profile = folded.profile;
      size = folded.size ?? size;
      refused.push(...folded.notes);
    }
    expect(refused).toEqual([]);
    expect(bytesOf(profile)).toBeLessThan(most);
    const { notes } = fold(profile, [set('more', 'x'.repeat(most))], 1000, 0, { size });
    expect(notes).toEqual([{ field: 'more', reason: 'profile_full' }]);
  });

  it('takes every change that makes it smaller', () => {
    const before = fold(blank, [set('a', 'x'.repeat(200))], 2, 0).profile;
    const { profile, size } = fold(before, [set('a', null)], 3, 0, room(mostProfileBytes + 5));
    expect(profile.custom).toEqual([{ k: 'a', v: null, at: 3 }]);
    expect(size?.bytes).toBeLessThan(mostProfileBytes);
  });
});

it('the bytes are not counted without a bound', () => {
  expect(fold(blank, [set('a', 1)], 2, 0)).not.toHaveProperty('size');
});
