import { distance } from '@roster/contract';
import { suggestions } from './suggest.ts';

describe('suggestions', () => {
  const names = ['users.track', 'users.track.sync', 'users.delete', 'requests.read'];

  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
  ])('count the letters between %j and %j', (one, other, letters) => {
    expect(distance(one, other)).toBe(letters);
  });

  it.each([
    ['user.track', 'users.track'],
    ['users.trak', 'users.track'],
    ['USERS.TRACK', 'users.track'],
    ['request.read', 'requests.read'],
    ['delete', 'users.delete'],
  ])('lead from %s to %s', (wrong, right) => {
    expect(suggestions(wrong, names)[0]).toBe(right);
  });

  it('are none when nothing is near', () => {
    expect(suggestions('zzz', names)).toEqual([]);
  });
});
