/** How fields of the profile are read: one line for each that is more than a plain value. */
import { isNested, type Nested } from '../fold/nested.ts';
import type { NoteReason } from '../note.ts';
import type { FieldName, Value } from '../profile.ts';
import type { Reading } from './reading.ts';

/** Without a value the field stays as it is. */
export interface FieldRead {
  value?: Value;
  note?: NoteReason;
}

type FieldReader = (value: Value, read: Reading) => FieldRead;

/** A text that one of the readers understands; `unknown` stands for any other text. */
const readable =
  (kind: keyof Reading, unknown: FieldRead): FieldReader =>
  (value, read) => {
    const found = typeof value === 'string' ? read[kind](value) : undefined;
    return found === undefined ? unknown : { value: found };
  };

const time = readable('time', { note: 'unknown_time' });

const plainDate = /^\d{4}-\d{2}-\d{2}$/;

const date: FieldReader = (value, read) => {
  if (typeof value !== 'string') return { note: 'wrong_type' };
  const day = plainDate.test(value) ? value : read.time(value)?.slice(0, 10);
  return day === undefined ? { note: 'unknown_time' } : { value: day };
};

const placeAt = (longitude: Value | undefined, latitude: Value | undefined): FieldRead =>
  typeof longitude === 'number' && typeof latitude === 'number'
    ? { value: { longitude, latitude } }
    : { note: 'wrong_type' };

const location: FieldReader = (value) => {
  const { longitude, latitude }: Nested = isNested(value) ? value : {};
  return placeAt(longitude, latitude);
};

/** The form of an exported profile: longitude first. */
export const readCoordinates = (value: Value): FieldRead => {
  if (value === null) return { value };
  return Array.isArray(value) && value.length === 2 ? placeAt(value[0], value[1]) : { note: 'wrong_type' };
};

const account = (...members: string[]): FieldReader => {
  const known: ReadonlySet<string> = new Set(members);
  return (value) => {
    if (!isNested(value)) return { note: 'wrong_type' };
    const all = Object.entries(value);
    const kept = all.filter(([name]) => known.has(name));
    return {
      value: Object.fromEntries(kept),
      ...(kept.length < all.length && { note: 'unknown_member' as const }),
    };
  };
};

const readers: { [Name in FieldName]?: FieldReader } = {
  country: readable('country', { value: null, note: 'unknown_country' }),
  current_location: location,
  date_of_first_session: time,
  date_of_last_session: time,
  dob: date,
  facebook: account('id', 'likes', 'num_friends'),
  language: readable('language', { note: 'unknown_language' }),
  marked_email_as_spam_at: time,
  push_opted_in_at: time,
  time_zone: readable('timeZone', { note: 'unknown_time_zone' }),
  twitter: account('id', 'screen_name', 'followers_count', 'friends_count', 'statuses_count'),
  uninstalled_at: time,
};

/** `null` removes. */
export const readField = (name: FieldName, value: Value, read: Reading): FieldRead =>
  value === null ? { value } : (readers[name]?.(value, read) ?? { value });
