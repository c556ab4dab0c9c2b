import type { Group } from '../group.ts';
import { cutContested, partGroup } from './submit-group.ts';

const group = (...ids: string[]): Group => ({
  v: 1,
  entries: ids.length * 10,
  bytes: ids.length * 100,
  requests: ids.map((id) => [id, 'w', 'users.track', null]),
});
const job = (of: Group) => ({ queue: { name: 'track-0', prefix: '{roster:track-0}' }, group: of });
const items = (count: number, entries: number) =>
  partGroup(
    job({ ...group(...Array.from({ length: count }, (_, n) => `r${n}-x`)), entries: count * entries }),
    () => true,
  ).contested;

describe('contested requests', () => {
  it('are taken out of their group, whole', () => {
    const { free, contested } = partGroup(job(group('r1-x', 'r2-x', 'r3-x')), ({ id }) => id === 'r2-x');
    expect(free).toEqual(group('r1-x', 'r3-x'));
    expect(contested.map(({ packed: [id], entries }) => [id, entries])).toEqual([['r2-x', 10]]);
  });

  it('leave a group as it is when there are none', () => {
    expect(partGroup(job(group('r1-x', 'r2-x')), () => false)).toEqual({
      free: group('r1-x', 'r2-x'),
      contested: [],
    });
  });

  it.each([
    ['in one piece when they fit', items(5, 10), { requests: 10, entries: 100 }, [5]],
    ['in pieces of so many requests', items(5, 1), { requests: 2, entries: 100 }, [2, 2, 1]],
    ['in pieces of so many entries', items(5, 40), { requests: 10, entries: 100 }, [2, 2, 1]],
    ['one that is too big by itself', items(2, 400), { requests: 10, entries: 100 }, [1, 1]],
  ])('go %s', (_title, contested, limits, sizes) => {
    expect(cutContested(contested, limits).map((piece) => piece.length)).toEqual(sizes);
  });
});
