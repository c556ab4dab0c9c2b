/** Items of lists in a merge: each person's own items, and one item for each that both have. */
import { newestItems } from '../fold/keyed-list.ts';
import { isNested, type Nested } from '../fold/nested.ts';
import type { List, ListItem, ListName, Value } from '../profile.ts';
import { keyOf } from '../whole.ts';
import { type Choice, earlier, either, later, type MergeRule, type ReadTime, stays, sum } from './values.ts';

type MemberRules = { readonly [name: string]: Choice };

/** Missing members come over. Members that both have follow their rule; without a rule the kept one stays. Built from entries: names are data. */
const joined = (kept: Nested, away: Nested, rules: MemberRules, time: ReadTime): Nested => {
  const all = new Map(Object.entries(kept));
  for (const [name, value] of Object.entries(away)) {
    const own = all.get(name);
    const choose = Object.hasOwn(rules, name) ? rules[name] : stays;
    all.set(
      name,
      own === undefined || own === null ? value : value === null || !choose ? own : choose(own, value, time),
    );
  }
  return Object.fromEntries(all);
};

const members =
  (choose: Choice): Choice =>
  (kept, away, time) => {
    if (!isNested(kept) || !isNested(away)) return kept;
    const rules = Object.fromEntries(Object.keys(kept).map((name) => [name, choose]));
    return joined(kept, away, rules, time);
  };

const nameOf = (step: Value): string =>
  isNested(step) ? String(step.api_canvas_step_id ?? step.name ?? '') : keyOf(step);

/** Steps of a workflow, by their ids. */
const steps: Choice = (kept, away, time) => {
  if (!Array.isArray(kept) || !Array.isArray(away)) return kept;
  const all = new Map(kept.map((step) => [nameOf(step), step]));
  for (const step of away) {
    const own = all.get(nameOf(step));
    const isBoth = isNested(own) && isNested(step);
    all.set(nameOf(step), isBoth ? joined(own, step, { last_received: later }, time) : (own ?? step));
  }
  return [...all.values()];
};

const engagement = members(either);

/** Of an item that both have, in each list. */
const itemRules: { readonly [Name in ListName]: MemberRules } = {
  /** Sessions add up, the first use is the first of both, and the last use the last. */
  apps: { sessions: sum, first_used: earlier, last_used: later },
  campaigns_received: {
    last_received: later,
    engaged: engagement,
    converted: either,
    multiple_converted: engagement,
  },
  canvases_received: {
    last_received_message: later,
    last_entered: later,
    last_entered_control_at: later,
    last_exited: later,
    steps_received: steps,
  },
  cards_clicked: {},
  devices: {},
  push_tokens: {},
};

const joinedItem = (kept: ListItem, away: ListItem, rules: MemberRules, time: ReadTime): ListItem => ({
  k: kept.k,
  v: joined(kept.v, away.v, rules, time),
  at: Math.max(kept.at, away.at),
});

const latestClearing = (kept: List, away: List): { cleared?: number } => {
  const cleared = Math.max(kept.cleared ?? -1, away.cleared ?? -1);
  return cleared < 0 ? {} : { cleared };
};

/** The items of both, as far as a list has room. A clearing affects its own list only. */
export const joinedLists =
  (name: ListName): MergeRule<List | undefined> =>
  (kept, away, time) => {
    if (!kept || !away) return kept ?? away;
    const all = new Map(kept.items.map((item) => [item.k, item]));
    for (const item of away.items) {
      const own = all.get(item.k);
      all.set(item.k, own ? joinedItem(own, item, itemRules[name], time) : item);
    }
    return { ...latestClearing(kept, away), items: newestItems([...all.values()]) };
  };
