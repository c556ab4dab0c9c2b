/** How a custom attribute is read: a set, or a step from the stored value. */
import { isScalarArray, lastOf, uniqueElements } from '../fold/array-change.ts';
import { isNested, type Nested } from '../fold/nested.ts';
import type { Note } from '../note.ts';
import type { Stepping, Value } from '../profile.ts';
import { type AttributeSettings, type Changes, ignored, type Reading } from './reading.ts';
import { readObjectsChange } from './reading-objects.ts';
import { timeText, withTimes } from './reading-times.ts';

export interface CustomReading {
  read: Reading;
  settings: AttributeSettings;
  /** `_merge_objects`. */
  merges: boolean;
}

const noted = (field: string, isNoted: boolean, reason: Note['reason']): Note[] =>
  isNoted ? [{ field, reason }] : [];

const set = (name: string, value: Value, notes: Note[] = []): Changes => ({
  changes: [{ kind: 'set', name, value }],
  notes,
});

const step = (name: string, stepping: Stepping, notes: Note[] = []): Changes => ({
  changes: [{ kind: 'step', name, step: stepping }],
  notes,
});

const hasOnly = (value: Nested, ...names: string[]): boolean => {
  const own = Object.keys(value);
  return own.length > 0 && own.every((name) => names.includes(name));
};

/** Strings in arrays are never times. */
const readScalars = (name: string, value: Value[], { settings }: CustomReading): Changes => {
  const { elements, isFull } = uniqueElements(value, settings.mostElements);
  return set(name, elements, noted(name, isFull, 'array_full'));
};

/** A nested attribute, or an array of objects. */
const readNested = (name: string, sent: Value, { read, merges }: CustomReading): Changes => {
  const { value = {}, hasUnknown } = withTimes(sent, read);
  const notes = noted(name, hasUnknown, 'unknown_time');
  return merges && isNested(value) ? step(name, { merge: value }, notes) : set(name, value, notes);
};

const readElements = (name: string, { add, remove }: Nested, most: number): Changes | undefined => {
  if ((add !== undefined && !Array.isArray(add)) || (remove !== undefined && !Array.isArray(remove)))
    return undefined;
  // One more than the bound tells that there are too many.
  return step(name, { ...(remove && { remove }), ...(add && { add: lastOf(add, most + 1), most }) });
};

/** An object that is an order and no value. */
const readOrder = (name: string, value: Nested, reading: CustomReading): Changes | undefined => {
  if (hasOnly(value, 'inc') && (typeof value.inc === 'number' || typeof value.inc === 'bigint'))
    return step(name, { inc: value.inc });
  if (hasOnly(value, 'add', 'remove')) return readElements(name, value, reading.settings.mostElements);
  if (!hasOnly(value, '$add', '$update', '$remove')) return undefined;
  const { objects, hasUnknown } = readObjectsChange(value, reading.read, reading.merges);
  if (!objects) return ignored(name, 'wrong_type');
  return step(name, { objects }, noted(name, hasUnknown, 'unknown_time'));
};

/** A text that looks like a time becomes one; a year beyond the range of times leaves it a text. */
const readText = (text: string, { read }: CustomReading): Value => read.time(text) ?? text;

export const readCustom = (name: string, value: Value, reading: CustomReading): Changes => {
  if (typeof value === 'string') return set(name, readText(value, reading));
  if (isScalarArray(value)) return readScalars(name, value, reading);
  if (Array.isArray(value)) return readNested(name, value, reading);
  if (!isNested(value)) return set(name, value);
  const time = timeText(value);
  if (time !== undefined) return set(name, readText(time, reading));
  return readOrder(name, value, reading) ?? readNested(name, value, reading);
};
