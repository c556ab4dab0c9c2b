import { newestItems } from '../keyed-list.ts';
import type { List } from '../profile.ts';
import type { ItemRule } from './items.ts';
import type { Rule } from './values.ts';

const latestClearing = (kept: List, away: List): { cleared?: number } => {
  const cleared = Math.max(kept.cleared ?? -1, away.cleared ?? -1);
  return cleared < 0 ? {} : { cleared };
};

/** The items of both, as far as a list has room. A clearing affects its own list only. */
export const joinedLists =
  (rule: ItemRule): Rule<List | undefined> =>
  (kept, away, time) => {
    if (!kept || !away) return kept ?? away;
    const all = new Map(kept.items.map((item) => [item.k, item]));
    for (const item of away.items) {
      const own = all.get(item.k);
      all.set(item.k, own ? rule(own, item, time) : item);
    }
    return { ...latestClearing(kept, away), items: newestItems([...all.values()]) };
  };
