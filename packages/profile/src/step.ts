/** What one step makes of a value. Where it does not fit, it has no effect, and says why. */
import { changeArray, isScalarArray } from './array-change.ts';
import { isTooLarge } from './json-bytes.ts';
import { deepMerge, isNested } from './nested.ts';
import type { NoteReason } from './note.ts';
import { changeObjects, isObjectsArray } from './objects-change.ts';
import type { ArrayChange, ObjectsChange, Stepping, Value } from './profile.ts';

export interface Stepped {
  v: Value;
  reason?: NoteReason;
}

const counted = (v: Value, by: number): Stepped => {
  if (v !== null && typeof v !== 'number') return { v, reason: 'not_a_number' };
  const from = v ?? 0;
  const sum = from + by;
  const most = Math.max(Number.MAX_SAFE_INTEGER, Math.abs(from));
  if (Math.abs(sum) <= most) return { v: sum };
  return { v: sum < 0 ? -most : most, reason: 'out_of_range' };
};

const elements = (v: Value, change: ArrayChange): Stepped => {
  if (v === null && !change.add) return { v };
  const old = v ?? [];
  if (!isScalarArray(old)) return { v, reason: 'not_an_array' };
  const { elements, isFull } = changeArray(old, change);
  return isFull ? { v: elements, reason: 'array_full' } : { v: elements };
};

const within = (old: Value, v: Value): Stepped => (isTooLarge(v) ? { v: old, reason: 'too_large' } : { v });

const merged = (v: Value, merge: { [name: string]: Value }): Stepped => {
  if (v === null) return within(v, merge);
  return isNested(v) ? within(v, deepMerge(v, merge)) : { v, reason: 'not_an_object' };
};

const nothingFound = (v: Value, isUnmatched: boolean): Stepped =>
  isUnmatched ? { v, reason: 'no_match' } : { v };

const objects = (v: Value, change: ObjectsChange): Stepped => {
  if (v === null && !change.add) return nothingFound(v, (change.update?.length ?? 0) > 0);
  const old = v ?? [];
  if (!isObjectsArray(old)) return { v, reason: 'not_an_array_of_objects' };
  const { objects, isUnmatched } = changeObjects(old, change);
  return isTooLarge(objects) ? { v, reason: 'too_large' } : nothingFound(objects, isUnmatched);
};

export const take = (v: Value, step: Stepping): Stepped => {
  if ('inc' in step) return counted(v, step.inc);
  if ('merge' in step) return merged(v, step.merge);
  return 'objects' in step ? objects(v, step.objects) : elements(v, step);
};
