/** Parts of a stored event or purchase that have no meaning in its workspace: nothing is dropped silently. */
import {
  aliasMembers,
  type EventEntry,
  eventMembers,
  type PurchaseEntry,
  purchaseMembers,
} from '@roster/contract';
import { type Item, mostNotes } from '@roster/profile';
import type { TrackSettings } from './settings.ts';

type OccurrenceEntry = EventEntry | PurchaseEntry;

export interface Remark {
  field: string;
  reason: string;
}

const longestName = 255;

/** The name may be as long as a body. */
const shortened = (name: string): string =>
  name.length > longestName ? name.slice(0, longestName).toWellFormed() : name;

const addUnknown = (members: object, known: ReadonlySet<string>, prefix: string, remarks: Remark[]): void => {
  for (const name in members) {
    if (known.has(name)) continue;
    // A body has room for a million of them; the notes are bounded.
    if (remarks.length > mostNotes) return;
    remarks.push({ field: shortened(prefix + name), reason: 'unknown_member' });
  }
};

/** A contact beside the identifier that counts: events and purchases change no profile. */
const addUnused = ({ identifier: { by }, entry }: Item<OccurrenceEntry>, remarks: Remark[]): void => {
  if (entry.email != null && by !== 'email') remarks.push({ field: 'email', reason: 'not_used' });
  if (entry.phone != null && by !== 'phone') remarks.push({ field: 'phone', reason: 'not_used' });
};

export const remarksOf = (item: Item<OccurrenceEntry>, { apps, rates }: TrackSettings): Remark[] => {
  const { entry, kind } = item;
  const remarks: Remark[] = [];
  if (entry.app_id != null && apps.size > 0 && !apps.has(entry.app_id))
    remarks.push({ field: 'app_id', reason: 'unknown_app' });
  if ('currency' in entry && !rates.has(entry.currency))
    remarks.push({ field: 'currency', reason: 'no_rate' });
  addUnknown(entry, kind === 'events' ? eventMembers : purchaseMembers, '', remarks);
  if (entry.user_alias) addUnknown(entry.user_alias, aliasMembers, 'user_alias.', remarks);
  addUnused(item, remarks);
  return remarks;
};
