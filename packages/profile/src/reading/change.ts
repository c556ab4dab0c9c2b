import { isNested } from '../fold/nested.ts';
import type { Note } from '../note.ts';
import { type FieldName, isFieldName, isListName, type Value } from '../profile.ts';
import {
  type AttributeSettings,
  type Changes,
  ignored,
  nothing,
  only,
  type ProfileChange,
  type Reading,
} from './reading.ts';
import { readConsent } from './reading-consents.ts';
import { type CustomReading, readCustom } from './reading-custom.ts';
import { type FieldRead, readCoordinates, readField } from './reading-fields.ts';
import { readList } from './reading-lists.ts';

export type { AttributeSettings, Changes, ProfileChange, Reading } from './reading.ts';

export interface AttributeEntry {
  [name: string]: Value | undefined;
}

/** Members that name the person or steer the request. They change nothing by themselves. */
const control: ReadonlySet<string> = new Set([
  'external_id',
  'user_alias',
  'service_id',
  '_update_existing_only',
  '_merge_objects',
  'push_token_import',
]);

/** The other members of an alias have no meaning. */
const isAliasMember = (name: string): boolean => name === 'alias_name' || name === 'alias_label';

const aliasNotes = (alias: Value | undefined): Note[] =>
  isNested(alias) && !Object.keys(alias).every(isAliasMember)
    ? [{ field: 'user_alias', reason: 'unknown_member' }]
    : [];

const fieldChange = (name: FieldName, sent: string, { value, note }: FieldRead): Changes => {
  const { changes } = value === undefined ? nothing() : only({ kind: 'field', name, value });
  return { changes, notes: note === undefined ? [] : [{ field: sent, reason: note }] };
};

const changesIn = (name: string, value: Value, reading: CustomReading): Changes => {
  const { read, settings } = reading;
  if (settings.blockedAttributes.has(name)) return ignored(name, 'blocked_attribute');
  if (isFieldName(name)) return fieldChange(name, name, readField(name, value, read));
  if (isListName(name)) return readList(name, value);
  if (name === 'last_coordinates') return fieldChange('current_location', name, readCoordinates(value));
  return readConsent(name, value, settings) ?? readCustom(name, value, reading);
};

/** An email or phone that only names the person changes nothing. */
export const changesOf = (
  entry: AttributeEntry,
  identifier: { by: string },
  read: Reading,
  settings: AttributeSettings,
): Changes => {
  const reading = { read, settings, merges: entry._merge_objects === true };
  const changes: ProfileChange[] = [];
  const notes = entry.user_alias === undefined ? [] : aliasNotes(entry.user_alias);
  for (const name in entry) {
    const value = entry[name];
    if (value === undefined || control.has(name) || name === identifier.by) continue;
    const found = changesIn(name, value, reading);
    changes.push(...found.changes);
    notes.push(...found.notes);
  }
  return { changes, notes };
};
