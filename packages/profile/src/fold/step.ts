/** The effect of one step on a value. A step that does not fit has no effect, and a note says why. */

import { jsonBytes, mostNestedBytes } from '../json-bytes.ts';
import type { NoteReason } from '../note.ts';
import type { ArrayChange, ObjectsChange, Stepping, Value } from '../profile.ts';
import { add } from '../whole.ts';
import { memberWork, mostStepWork } from '../work.ts';
import { changeArray, isScalarArray } from './array-change.ts';
import { deepMerge, isNested, type MemberCount } from './nested.ts';
import { changeObjects, isObjectsArray } from './objects-change.ts';

export interface Stepped {
  v: Value;
  reason?: NoteReason;
  /** The amount of work: see work.ts. */
  work: number;
}

const counted = (v: Value, by: number | bigint): Stepped => {
  const work = memberWork;
  if (v !== null && typeof v !== 'number' && typeof v !== 'bigint')
    return { v, reason: 'not_a_number', work };
  const { sum, isCut } = add(v ?? 0, by);
  return isCut ? { v: sum, reason: 'out_of_range', work } : { v: sum, work };
};

const elements = (v: Value, change: ArrayChange): Stepped => {
  if (v === null && !change.add) return { v, work: memberWork };
  const old = v ?? [];
  if (!isScalarArray(old)) return { v, reason: 'not_an_array', work: memberWork };
  const work = memberWork * (old.length + (change.add?.length ?? 0) + (change.remove?.length ?? 0));
  const { elements, isFull } = changeArray(old, change);
  return isFull ? { v: elements, reason: 'array_full', work } : { v: elements, work };
};

/** Measuring is work too. */
const within = (old: Value, v: Value, work: number): Stepped => {
  const bytes = jsonBytes(v);
  return bytes > mostNestedBytes
    ? { v: old, reason: 'too_large', work: work + bytes }
    : { v, work: work + bytes };
};

const merged = (v: Value, merge: { [name: string]: Value }): Stepped => {
  if (v === null) return within(v, merge, 0);
  if (!isNested(v)) return { v, reason: 'not_an_object', work: memberWork };
  const spent: MemberCount = { members: 0 };
  const next = deepMerge(v, merge, spent);
  return within(v, next, memberWork * spent.members);
};

const nothingFound = (stepped: Stepped, isUnmatched: boolean): Stepped =>
  isUnmatched && !stepped.reason ? { ...stepped, reason: 'no_match' } : stepped;

const objects = (v: Value, change: ObjectsChange): Stepped => {
  if (v === null && !change.add)
    return nothingFound({ v, work: memberWork }, (change.update?.length ?? 0) > 0);
  const old = v ?? [];
  if (!isObjectsArray(old)) return { v, reason: 'not_an_array_of_objects', work: memberWork };
  const { objects, isUnmatched, members, isTooMuch } = changeObjects(old, change, mostStepWork / memberWork);
  const work = memberWork * members;
  if (isTooMuch) return { v, reason: 'too_much_work', work };
  return nothingFound(within(v, objects, work), isUnmatched);
};

export const take = (v: Value, step: Stepping): Stepped => {
  if ('inc' in step) return counted(v, step.inc);
  if ('merge' in step) return merged(v, step.merge);
  return 'objects' in step ? objects(v, step.objects) : elements(v, step);
};
