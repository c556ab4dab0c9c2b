/** Times inside nested attributes: `{"$time": text}` becomes the time. All else is data and stays as it is. */
import { isNested } from './nested.ts';
import type { Value } from './profile.ts';
import type { Reading } from './reading.ts';

export interface Timed {
  /** Nothing when it was a time that does not exist. */
  value?: Value;
  hasUnknown: boolean;
}

/** The text of `{"$time": text}`. */
export const timeText = (value: Value): string | undefined => {
  if (!isNested(value) || !Object.hasOwn(value, '$time') || Object.keys(value).length !== 1) return undefined;
  return typeof value.$time === 'string' ? value.$time : undefined;
};

/** A time that is out of the range of times is left out, and said (field-facts 1.8). */
export const withTimes = (value: Value, read: Reading): Timed => {
  let hasUnknown = false;
  const timed = (inner: Value): Value | undefined => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map(timed).filter((element) => element !== undefined);
    const text = timeText(inner);
    if (text === undefined) return members(inner);
    const time = read.time(text);
    hasUnknown ||= time === undefined;
    return time;
  };
  /** From entries, not by assignment: `__proto__` is only a name here. */
  const members = (object: { [name: string]: Value }): Value =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, inner]) => {
        const next = timed(inner);
        return next === undefined ? [] : [[name, next] as const];
      }),
    );
  const found = timed(value);
  return found === undefined ? { hasUnknown } : { value: found, hasUnknown };
};
