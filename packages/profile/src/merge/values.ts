/** How two values of one thing become one when two people become one. Each way is associative, and nothing is undone by nothing. */
import type { Stamped, Value } from '../profile.ts';

export type Rule<Kept> = (kept: Kept, away: Kept) => Kept;

/** As a moment; what is no date is older than everything, and younger than nothing. */
const momentOf = (v: Value): number => (typeof v === 'string' ? Date.parse(v) : Number.NaN);

type Choice = (kept: Value, away: Value) => Value;

const dated =
  (isBetter: (away: number, kept: number) => boolean): Choice =>
  (kept, away) => {
    const [before, after] = [momentOf(kept), momentOf(away)];
    if (Number.isNaN(after)) return kept;
    return Number.isNaN(before) || isBetter(after, before) ? away : kept;
  };

export const earlier: Choice = dated((away, kept) => away < kept);
export const later: Choice = dated((away, kept) => away > kept);
export const stays: Choice = (kept) => kept;
export const either: Choice = (kept, away) => kept === true || away === true;

/** Counts come as numbers or as texts of them; the sum is what the kept one is. */
export const sum: Choice = (kept, away) => {
  const total = Number(kept) + Number(away);
  if (kept === '' || away === '' || !Number.isFinite(total)) return kept;
  return typeof kept === 'string' ? String(total) : total;
};

const isGone = (one: Stamped): boolean => one.v === null;

/** Since when the person has it, where that is no longer told by the stamp: emails and phones need it. */
const sinceOf = ({ at, since }: Stamped, newAt: number): { since?: number } =>
  at === newAt && since === undefined ? {} : { since: since ?? at };

/** A value that was removed is missing like one that never was, but what was sent before the removal must not come back. */
const unlessMissing =
  (both: (kept: Stamped, away: Stamped) => Stamped, keepsSince: boolean): Rule<Stamped | undefined> =>
  (kept, away) => {
    if (!kept || !away) return kept ?? away;
    if (isGone(kept) === isGone(away)) return both(kept, away);
    if (isGone(away)) return keepsSince ? kept : { v: kept.v, at: Math.max(kept.at, away.at) };
    const at = Math.max(kept.at, away.at);
    return { v: away.v, at, ...(keepsSince && sinceOf(away, at)) };
  };

const laterStamp = (kept: Stamped, away: Stamped): Stamped => ({ v: null, at: Math.max(kept.at, away.at) });

/** The kept value stays; a missing one comes over. */
export const fill = unlessMissing((kept, away) => (isGone(kept) ? laterStamp(kept, away) : kept), true);

const dates = (choose: Choice): Rule<Stamped | undefined> =>
  unlessMissing((kept, away) => ({ v: choose(kept.v, away.v), at: Math.max(kept.at, away.at) }), false);

export const earliest = dates(earlier);
export const latest = dates(later);
