/** What an attribute object asks for, one change for each name. */
import type { Identifier } from './identifier.ts';
import { type FieldName, isFieldName, type Value } from './profile.ts';

export type Change =
  | { kind: 'field'; name: FieldName; value: Value }
  | { kind: 'set'; name: string; value: Value }
  | { kind: 'increment'; name: string; by: number };

/** Members that say whom or how, not what. */
const control: ReadonlySet<string> = new Set([
  'external_id',
  'user_alias',
  'service_id',
  '_update_existing_only',
  '_merge_objects',
]);

const incrementIn = (value: Value): number | undefined => {
  if (typeof value !== 'object' || value === null || !('inc' in value)) return undefined;
  return typeof value.inc === 'number' ? value.inc : undefined;
};

const changeOf = (name: string, value: Value): Change => {
  if (isFieldName(name)) return { kind: 'field', name, value };
  const by = incrementIn(value);
  return by === undefined ? { kind: 'set', name, value } : { kind: 'increment', name, by };
};

/** Email or phone that only tells who is meant changes nothing. */
export const changesOf = (entry: { [name: string]: Value | undefined }, identifier: Identifier): Change[] => {
  const changes: Change[] = [];
  for (const name in entry) {
    const value = entry[name];
    if (value === undefined || control.has(name) || name === identifier.by) continue;
    changes.push(changeOf(name, value));
  }
  return changes;
};
