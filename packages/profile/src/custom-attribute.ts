/** One custom attribute and what can happen to it. Names are data: attributes are a list, never keys of an object. */
import type { CustomAttribute, Increment, Stamp, Value } from './profile.ts';

/** Increments remembered one by one; beyond that the two oldest become one. */
export const mostIncrements = 64;

const sumOf = (incs: readonly Increment[]): number => incs.reduce((sum, [, by]) => sum + by, 0);

/** Whether increments have an effect on it: on nothing at all they do, from 0. */
export const isCountable = (base: Value | undefined): boolean => base == null || typeof base === 'number';

const counted = (base: Value, incs: readonly Increment[]): Value =>
  isCountable(base) ? Number(base ?? 0) + sumOf(incs) : base;

const attribute = (k: string, base: Value, at: Stamp, incs: Increment[]): CustomAttribute =>
  incs.length === 0 ? { k, v: base, at } : { k, v: counted(base, incs), at, base, incs };

/** What was set, apart from later increments. */
export const baseOf = ({ v, base, incs }: CustomAttribute): Value => (incs ? (base ?? null) : v);

/** A set keeps only increments that are later; an older set loses. `null` stays, so that an older set can't come back. */
export const setAttribute = (
  old: CustomAttribute | undefined,
  k: string,
  v: Value,
  at: Stamp,
): CustomAttribute => {
  if (old && at < old.at) return old;
  return attribute(k, v, at, old?.incs?.filter(([stamp]) => stamp > at) ?? []);
};

/** One more increment, in its place; those of one request are added up. */
const inserted = (incs: readonly Increment[], at: Stamp, by: number): Increment[] => {
  const place = incs.findLastIndex(([stamp]) => stamp <= at);
  const same = place >= 0 && incs[place]?.[0] === at;
  const next: Increment = [at, by + (same ? (incs[place]?.[1] ?? 0) : 0)];
  return incs.toSpliced(same ? place : place + 1, same ? 1 : 0, next);
};

/** The sum never changes; only a set older than the younger of the two could tell the difference. */
const bounded = (incs: Increment[]): Increment[] => {
  const [first, second, ...rest] = incs;
  if (incs.length <= mostIncrements || !first || !second) return incs;
  return [[second[0], first[1] + second[1]], ...rest];
};

/** An increment from before the last set was overtaken by it. One of the same request came after it. */
export const incrementAttribute = (
  old: CustomAttribute | undefined,
  k: string,
  by: number,
  at: Stamp,
): CustomAttribute => {
  if (!old) return attribute(k, null, 0, [[at, by]]);
  if (at < old.at) return old;
  return attribute(k, baseOf(old), old.at, bounded(inserted(old.incs ?? [], at, by)));
};
