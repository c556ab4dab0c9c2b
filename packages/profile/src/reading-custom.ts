/** How a custom attribute is read: a set, or a step from the stored value. */
import { isScalarArray } from './array-change.ts';
import { isNested, type Nested } from './nested.ts';
import type { Note } from './note.ts';
import type { Value } from './profile.ts';
import type { Changes } from './reading.ts';
import { type CustomReading, noted, readOrder, step } from './reading-orders.ts';
import { timeText, withTimes } from './reading-times.ts';
import { uniqueElements } from './unique-elements.ts';

const set = (name: string, value: Value, notes: Note[] = []): Changes => ({
  changes: [{ kind: 'set', name, value }],
  notes,
});

/** Strings in arrays are never times. */
const readArray = (name: string, value: Value[], { read, settings }: CustomReading): Changes => {
  if (isScalarArray(value)) {
    const { elements, isFull } = uniqueElements(value, settings.mostElements);
    return set(name, elements, noted(name, isFull, 'array_full'));
  }
  const timed = withTimes(value, read);
  return set(name, timed.value ?? [], noted(name, timed.hasUnknown, 'unknown_time'));
};

const readNested = (name: string, value: Nested, { read, merges }: CustomReading): Changes => {
  const timed = withTimes(value, read);
  const notes = noted(name, timed.hasUnknown, 'unknown_time');
  const object = timed.value ?? {};
  return merges && isNested(object) ? step(name, { merge: object }, notes) : set(name, object, notes);
};

/** A text that looks like a time becomes one; a year beyond the range of times leaves it a text. */
const readText = (text: string, { read }: CustomReading): Value => read.time(text) ?? text;

export const readCustom = (name: string, value: Value, reading: CustomReading): Changes => {
  if (typeof value === 'string') return set(name, readText(value, reading));
  if (Array.isArray(value)) return readArray(name, value, reading);
  if (!isNested(value)) return set(name, value);
  const time = timeText(value);
  if (time !== undefined) return set(name, readText(time, reading));
  return readOrder(name, value, reading) ?? readNested(name, value, reading);
};
