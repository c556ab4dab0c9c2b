/** The choice between two values that are both there. */
import type { Value } from '../profile.ts';
import type { Reading } from '../reading.ts';
import { add, narrowed } from '../whole.ts';

/** How a date is read in every format of the interface: moments as texts that sort like the moments. */
export type ReadTime = Reading['time'];

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
