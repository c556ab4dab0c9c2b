/** Lists with a key for each item. The latest stamp of each item wins; a clearing removes all items before it. */
import type { List, ListItem, Stamp } from './profile.ts';

export type NewItem = Omit<ListItem, 'at'>;

/** The bound of one list: each change of a list reads all of it. */
export const mostItems = 2500;

/** In the order of their stamps, ties by key: one order, however the items came. */
const byStamp = (a: ListItem, b: ListItem): number => a.at - b.at || (a.k < b.k ? -1 : a.k > b.k ? 1 : 0);

/** Newer items stay, and so do items of the same request after the clearing: they are folded after it. */
export const clearList = (list: List | undefined, at: Stamp): List => ({
  cleared: Math.max(list?.cleared ?? 0, at),
  items: (list?.items ?? []).filter((item) => item.at > at),
});

export const putItems = (list: List | undefined, items: readonly NewItem[], at: Stamp): List => {
  const old = list ?? { items: [] };
  if (old.cleared !== undefined && at < old.cleared) return old;
  const byKey = new Map(old.items.map((item) => [item.k, item]));
  for (const { k, v } of items) {
    const same = byKey.get(k);
    if (!same || at >= same.at) byKey.set(k, { k, v, at });
  }
  return { ...old, items: newestItems([...byKey.values()]) };
};

/** When there are too many the oldest go. */
export const newestItems = (items: readonly ListItem[]): ListItem[] =>
  items.toSorted(byStamp).slice(-mostItems);
