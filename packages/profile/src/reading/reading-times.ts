/** Times inside nested attributes: `{"$time": text}` becomes the time. All other values are data and stay as they are. */
import { isNested } from '../fold/nested.ts';
import type { Value } from '../profile.ts';
import type { Reading } from './reading.ts';

export interface Timed {
  /** Missing for a time that does not exist. */
  value?: Value;
  hasUnknown: boolean;
}

/** The text of `{"$time": text}`. */
export const timeText = (value: Value): string | undefined => {
  if (!isNested(value) || !Object.hasOwn(value, '$time') || Object.keys(value).length !== 1) return undefined;
  return typeof value.$time === 'string' ? value.$time : undefined;
};

type Timing = (inner: Value) => Value | undefined;

const listWith = (list: readonly Value[], timed: Timing): Value[] => {
  const next: Value[] = [];
  for (const inner of list) {
    const value = timed(inner);
    if (value !== undefined) next.push(value);
  }
  return next;
};

/** Built from entries, not by assignment: `__proto__` is only a name here. */
const membersWith = (object: { [name: string]: Value }, timed: Timing): Value =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, inner]) => {
      const next = timed(inner);
      return next === undefined ? [] : [[name, next] as const];
    }),
  );

/** Most values hold no time, and making hundreds of thousands of objects anew takes a tenth of a second. */
const holdsTime = (value: Value): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsTime);
  return timeText(value) !== undefined || Object.values(value).some(holdsTime);
};

/** A time outside the range of times is left out, with a note. */
export const withTimes = (value: Value, read: Reading): Timed => {
  if (!holdsTime(value)) return { value, hasUnknown: false };
  let hasUnknown = false;
  const timed: Timing = (inner) => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (Array.isArray(inner)) return listWith(inner, timed);
    const text = timeText(inner);
    if (text === undefined) return membersWith(inner, timed);
    const time = read.time(text);
    hasUnknown ||= time === undefined;
    return time;
  };
  const found = timed(value);
  return found === undefined ? { hasUnknown } : { value: found, hasUnknown };
};
