import { newProfile, type Profile } from '../profile.ts';
import { createDrafts } from './drafts.ts';

const profileOf = (id: string, at = 1): Profile => newProfile(id, 'demo', at);

const created = profileOf('c');
const [before, after] = [profileOf('b', 1), profileOf('b', 2)];
const loaded = new Map<string, Profile | undefined>([
  ['b', before],
  ['r', profileOf('r')],
  ['none', undefined],
]);

test('a draft stands in front of the loaded profile, and a removed one hides it', () => {
  const drafts = createDrafts(loaded);
  expect([drafts.current('b'), drafts.has('b')]).toEqual([before, false]);
  drafts.put(after);
  expect([drafts.current('b'), drafts.has('b')]).toEqual([after, true]);
  drafts.remove('b');
  expect([drafts.current('b'), drafts.has('b'), drafts.isRemoved('b')]).toEqual([undefined, true, true]);
});

test('writes come in the order of service ids, and a removed new profile is not among them', () => {
  const drafts = createDrafts(loaded);
  drafts.remove('r');
  drafts.create(profileOf('d'));
  drafts.remove('d');
  drafts.create(created);
  drafts.create(profileOf('a'));
  drafts.put(after);
  expect(drafts.writes()).toEqual({
    created: [profileOf('a'), created],
    changed: [{ before, after }],
    removed: ['r'],
  });
});
