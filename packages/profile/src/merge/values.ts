/** How two values of one thing become one when two people become one. Each way is associative, and a missing value never wins over a value. */
import type { Stamped } from '../profile.ts';
import { type Choice, earlier, later, type ReadTime } from './choices.ts';

export type Rule<Kept> = (kept: Kept, away: Kept, time: ReadTime) => Kept;

const isGone = (one: Stamped): boolean => one.v === null;

/** Since when the person has an email or phone, where the stamp does not tell it any more. */
const sinceOf = ({ at, since }: Stamped, newAt: number): { since?: number } =>
  at === newAt && since === undefined ? {} : { since: since ?? at };

/** A removed value counts as missing, but values sent before the removal must not come back. */
const unlessMissing =
  (
    both: (kept: Stamped, away: Stamped, time: ReadTime) => Stamped,
    keepsSince: boolean,
  ): Rule<Stamped | undefined> =>
  (kept, away, time) => {
    if (!kept || !away) return kept ?? away;
    if (isGone(kept) === isGone(away)) return both(kept, away, time);
    if (isGone(away)) return keepsSince ? kept : { v: kept.v, at: Math.max(kept.at, away.at) };
    const at = Math.max(kept.at, away.at);
    return { v: away.v, at, ...(keepsSince && sinceOf(away, at)) };
  };

const laterStamp = (kept: Stamped, away: Stamped): Stamped => ({ v: null, at: Math.max(kept.at, away.at) });

/** The kept value stays; a missing value comes over. */
export const fill = unlessMissing((kept, away) => (isGone(kept) ? laterStamp(kept, away) : kept), true);

const dates = (choose: Choice): Rule<Stamped | undefined> =>
  unlessMissing(
    (kept, away, time) => ({ v: choose(kept.v, away.v, time), at: Math.max(kept.at, away.at) }),
    false,
  );

export const earliest = dates(earlier);
export const latest = dates(later);
