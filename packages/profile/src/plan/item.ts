/** The entries of a request in the order in which they count, each with its subject. */
import type { EntryKind } from '../decide.ts';
import type { Identifier } from '../identifier.ts';
import type { Stamp } from '../profile.ts';
import type { AttributeObject, TrackBody, TrackEntry } from './track-request.ts';

/** The request of an entry. */
export interface Origin {
  id: string;
  ws: string;
  at: Stamp;
  /** The operation. */
  op?: string;
}

/** Finds the person of an entry: the identifier that it names, or the push tokens that it imports. */
export type Subject = Identifier | { by: 'tokens'; keys: string[] };

export interface Item<Entry extends TrackEntry> {
  origin: Origin;
  kind: EntryKind;
  /** In its array. */
  index: number;
  /** In its request, over all arrays. */
  position: number;
  entry: Entry;
  identifier: Subject;
  key: string;
}

export type AnyItem = Item<TrackEntry>;

export interface Prepared<Event extends TrackEntry, Purchase extends TrackEntry> {
  origin: Origin;
  body: TrackBody<Event, Purchase>;
  attributes: Item<AttributeObject>[];
  events: Item<Event>[];
  purchases: Item<Purchase>[];
}
