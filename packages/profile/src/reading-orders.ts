/** How orders in a custom attribute are read: an object that adds, removes or updates. */
import type { Nested } from './nested.ts';
import type { Note } from './note.ts';
import type { Stepping } from './profile.ts';
import { type AttributeSettings, type Changes, ignored, type Reading } from './reading.ts';
import { readObjectsChange } from './reading-objects.ts';
import { lastOf } from './unique-elements.ts';

export interface CustomReading {
  read: Reading;
  settings: AttributeSettings;
  /** `_merge_objects`. */
  merges: boolean;
}

export const noted = (field: string, isNoted: boolean, reason: Note['reason']): Note[] =>
  isNoted ? [{ field, reason }] : [];

export const step = (name: string, stepping: Stepping, notes: Note[] = []): Changes => ({
  changes: [{ kind: 'step', name, step: stepping }],
  notes,
});

const hasOnly = (value: Nested, ...names: string[]): boolean => {
  const own = Object.keys(value);
  return own.length > 0 && own.every((name) => names.includes(name));
};

const readElements = (name: string, { add, remove }: Nested, most: number): Changes | undefined => {
  if ((add !== undefined && !Array.isArray(add)) || (remove !== undefined && !Array.isArray(remove)))
    return undefined;
  // One more than the bound tells that there are too many.
  return step(name, { ...(remove && { remove }), ...(add && { add: lastOf(add, most + 1), most }) });
};

/** An object that is an order and no value. */
export const readOrder = (name: string, value: Nested, reading: CustomReading): Changes | undefined => {
  if (hasOnly(value, 'inc') && (typeof value.inc === 'number' || typeof value.inc === 'bigint'))
    return step(name, { inc: value.inc });
  if (hasOnly(value, 'add', 'remove')) return readElements(name, value, reading.settings.mostElements);
  if (!hasOnly(value, '$add', '$update', '$remove')) return undefined;
  const { objects, hasUnknown } = readObjectsChange(value, reading.read, reading.merges);
  if (!objects) return ignored(name, 'wrong_type');
  return step(name, { objects }, noted(name, hasUnknown, 'unknown_time'));
};
