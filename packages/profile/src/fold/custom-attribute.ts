/** One custom attribute and its changes. Names are data: attributes are a list, never keys of an object. */
import { jsonBytes } from '../json-bytes.ts';
import type { NoteReason } from '../note.ts';
import type { AttributeStep, CustomAttribute, Stamp, Value } from '../profile.ts';
import { take } from './step.ts';

/**
 * The bounds of the remembered steps: their number, and their bytes of JSON together. Beyond them the oldest steps become part of the base.
 * Only a late step that is older than the base may then be wrong; increments still add up.
 */
export const mostSteps = 64;
export const mostStepBytes = 32 * 1024;

export interface ChangedAttribute {
  attribute: CustomAttribute;
  /** Why the step had no effect, or only a part of it. */
  reason?: NoteReason;
  /** Of the step and of the steps replayed for it. */
  work: number;
}

interface Replayed {
  v: Value;
  work: number;
}

const replay = (base: Value, steps: readonly AttributeStep[]): Replayed => {
  const replayed: Replayed = { v: base, work: 0 };
  for (const step of steps) {
    const { v, work } = take(replayed.v, step);
    replayed.v = v;
    replayed.work += work;
  }
  return replayed;
};

/** A set keeps only later steps; an older set loses. `null` stays, so that an older set can't come back. */
export const setAttribute = (
  old: CustomAttribute | undefined,
  k: string,
  v: Value,
  at: Stamp,
): CustomAttribute => {
  if (old && at < old.at) return old;
  const steps = old?.steps?.filter((step) => step.at > at);
  return steps && steps.length > 0 ? { k, v: replay(v, steps).v, at, base: v, steps } : { k, v, at };
};

/** The number of steps before it: nearly always all of them. */
const placeOf = (steps: readonly AttributeStep[], { at, n }: AttributeStep): number =>
  steps.findLastIndex((one) => one.at < at || (one.at === at && one.n < n)) + 1;

const isSame = (one: AttributeStep | undefined, { at, n }: AttributeStep): boolean =>
  one?.at === at && one.n === n;

/** Increments are small: they are not measured. */
const bytesOf = (step: AttributeStep): number => {
  if ('inc' in step) return 0;
  if ('merge' in step) return jsonBytes(step.merge);
  const parts = 'objects' in step ? step.objects : step;
  return jsonBytes(Object.values(parts).filter((part) => Array.isArray(part)));
};

/** The number of oldest steps beyond the bounds. */
const surplusOf = (steps: readonly AttributeStep[]): number => {
  let bytes = 0;
  const place = steps.findLastIndex((step) => {
    bytes += bytesOf(step);
    return bytes > mostStepBytes;
  });
  return Math.max(place + 1, steps.length - mostSteps);
};

type KeptChange = Omit<ChangedAttribute, 'reason'>;

/** The same attribute with fewer steps: the visible value does not change. */
const shortened = (attribute: CustomAttribute, steps: AttributeStep[], surplus: number): KeptChange => {
  const { base = null, ...seen } = attribute;
  if (surplus <= 0) return { attribute: { ...seen, base, steps }, work: 0 };
  const rest = steps.slice(surplus);
  if (rest.length === 0) return { attribute: seen, work: 0 };
  const { v, work } = replay(base, steps.slice(0, surplus));
  return { attribute: { ...seen, base: v, steps: rest }, work };
};

/** Only steps that have a size can be too large together. */
const remembering = (attribute: CustomAttribute, steps: AttributeStep[], step: AttributeStep): KeptChange =>
  shortened(attribute, steps, 'inc' in step ? steps.length - mostSteps : surplusOf(steps));

/** A step from before the last set has no effect; a step of the same request came after the set. A known step changes nothing. */
export const stepAttribute = (
  old: CustomAttribute | undefined,
  k: string,
  step: AttributeStep,
): ChangedAttribute => {
  const {
    v: seen,
    at,
    base = seen,
    steps = [],
    from,
  }: Omit<CustomAttribute, 'k'> = old ?? { v: null, at: 0 };
  if (old && step.at < at) return { attribute: old, work: 0 };
  const place = placeOf(steps, step);
  if (old && isSame(steps[place], step)) return { attribute: old, work: 0 };
  const isLast = place === steps.length;
  const before = isLast ? { v: seen, work: 0 } : replay(base, steps.slice(0, place));
  const { v, reason, work } = take(before.v, step);
  const now = isLast ? { v, work: 0 } : replay(v, steps.slice(place));
  const attribute = { k, v: now.v, at, base, ...(from && { from }) };
  const kept = remembering(attribute, steps.toSpliced(place, 0, step), step);
  const changed = { ...kept, work: before.work + work + now.work + kept.work };
  return reason ? { ...changed, reason } : changed;
};
