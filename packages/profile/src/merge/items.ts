/** Items of lists in a merge: each person's own items, and one item for each that both have. */
import type { ListItem } from '../profile.ts';
import { earlier, either, later, type ReadTime, sum } from './choices.ts';
import { joined, type MemberRules, members, steps } from './members.ts';

/** One item that both have. */
export type ItemRule = (kept: ListItem, away: ListItem, time: ReadTime) => ListItem;

const byMember =
  (rules: MemberRules): ItemRule =>
  (kept, away, time) => ({
    k: kept.k,
    v: joined(kept.v, away.v, rules, time),
    at: Math.max(kept.at, away.at),
  });

/** The kept item stays as it is and gets the members that it lacks. */
export const keptItem: ItemRule = byMember({});

/** An app on both: sessions add up, its first use is the first of both and its last use the last. An app of one of them comes over whole. */
export const app: ItemRule = byMember({ sessions: sum, first_used: earlier, last_used: later });

const engagement = members(either);

export const campaign: ItemRule = byMember({
  last_received: later,
  engaged: engagement,
  converted: either,
  multiple_converted: engagement,
});

export const canvas: ItemRule = byMember({
  last_received_message: later,
  last_entered: later,
  last_entered_control_at: later,
  last_exited: later,
  steps_received: steps,
});
