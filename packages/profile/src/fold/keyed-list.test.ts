import type { List } from '../profile.ts';
import { clearList, putItems } from './keyed-list.ts';

const item = (k: string, value: number) => ({ k, v: { value } });
const shown = ({ items }: List) => items.map(({ k, v, at }) => [k, v.value, at]);

describe('a list', () => {
  it('adds an item, and replaces the one with its key', () => {
    const list = putItems(putItems(undefined, [item('a', 1), item('b', 2)], 10), [item('a', 3)], 11);
    expect(shown(list)).toEqual([
      ['b', 2, 10],
      ['a', 3, 11],
    ]);
  });

  it('keeps the later one of an item, in either order', () => {
    const list = putItems(putItems(undefined, [item('a', 2)], 11), [item('a', 1)], 10);
    expect(shown(list)).toEqual([['a', 2, 11]]);
  });

  it('lets the later entry of one request win', () => {
    const list = putItems(putItems(undefined, [item('a', 1)], 10), [item('a', 2)], 10);
    expect(shown(list)).toEqual([['a', 2, 10]]);
  });

  it('is cleared of earlier items, and of late ones from before', () => {
    const cleared = clearList(putItems(undefined, [item('a', 1)], 10), 11);
    expect(cleared).toEqual({ cleared: 11, items: [] });
    expect(putItems(cleared, [item('a', 1)], 10)).toEqual(cleared);
  });

  it('keeps what is newer than a clearing that comes late', () => {
    const list = putItems(putItems(undefined, [item('a', 1)], 10), [item('b', 1)], 12);
    expect(clearList(list, 11)).toEqual({ cleared: 11, items: [{ ...item('b', 1), at: 12 }] });
  });

  it('keeps items of the same request that come after the clearing, and loses those before', () => {
    const after = putItems(clearList(undefined, 10), [item('a', 1)], 10);
    expect(shown(after)).toEqual([['a', 1, 10]]);
    expect(shown(clearList(after, 9))).toEqual([['a', 1, 10]]);
    expect(shown(clearList(after, 10))).toEqual([]);
  });
});
