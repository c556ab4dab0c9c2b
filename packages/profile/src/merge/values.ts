/** How two values of one thing become one when two people become one. Each way is associative, and a missing value never wins over a value. */
import type { Stamped, Value } from '../profile.ts';
import type { Reading } from '../reading/reading.ts';
import { add, narrowed } from '../whole.ts';

/** How a date is read in every format of the interface: moments as texts that sort like the moments. */
export type ReadTime = Reading['time'];

export type MergeRule<Kept> = (kept: Kept, away: Kept, time: ReadTime) => Kept;

export type Choice = (kept: Value, away: Value, time: ReadTime) => Value;

const momentOf = (v: Value, time: ReadTime): string | undefined =>
  typeof v === 'string' ? time(v) : undefined;

/** A value that is no date loses to every date. */
const dated =
  (isBetter: (away: string, kept: string) => boolean): Choice =>
  (kept, away, time) => {
    const [before, after] = [momentOf(kept, time), momentOf(away, time)];
    if (after === undefined) return kept;
    return before === undefined || isBetter(after, before) ? away : kept;
  };

export const earlier: Choice = dated((away, kept) => away < kept);
export const later: Choice = dated((away, kept) => away > kept);
export const stays: Choice = (kept) => kept;
export const either: Choice = (kept, away) => kept === true || away === true;

const digits = /^\d{1,18}$/;

const countIn = (value: Value): number | bigint | undefined => {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'string' && digits.test(value)) return narrowed(BigInt(value));
  const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
};

/** Counts come as numbers or as texts of numbers; the sum has the form of the kept one. */
export const sum: Choice = (kept, away) => {
  const [own, other] = [countIn(kept), countIn(away)];
  if (own === undefined || other === undefined) return kept;
  const { sum: total } = add(own, other);
  return typeof kept === 'string' ? String(total) : total;
};

const isGone = (one: Stamped): boolean => one.v === null;

/** Since when the person has an email or phone, where the stamp does not tell it any more. */
const sinceOf = ({ at, since }: Stamped, newAt: number): { since?: number } =>
  at === newAt && since === undefined ? {} : { since: since ?? at };

/** A removed value counts as missing, but values sent before the removal must not come back. */
const unlessMissing =
  (
    both: (kept: Stamped, away: Stamped, time: ReadTime) => Stamped,
    keepsSince: boolean,
  ): MergeRule<Stamped | undefined> =>
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

const dates = (choose: Choice): MergeRule<Stamped | undefined> =>
  unlessMissing(
    (kept, away, time) => ({ v: choose(kept.v, away.v, time), at: Math.max(kept.at, away.at) }),
    false,
  );

export const earliest = dates(earlier);
export const latest = dates(later);
