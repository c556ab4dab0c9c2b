/** The entries of a request, each with whom it is about, in the order in which they count. */

import type { EntryKind } from '../decide.ts';
import { type Identified, type Identifier, identifierOf, identityKey } from '../identifier.ts';
import type { Stamp, Value } from '../profile.ts';

/** An accepted entry; which of its other members matter, its kind says. */
export interface TrackEntry extends Identified {
  _update_existing_only?: boolean;
}

export interface AttributeObject extends TrackEntry {
  [name: string]: Value | undefined;
}

/** A text stands for an entry that was refused, and says why. */
export interface TrackBody<Event extends TrackEntry, Purchase extends TrackEntry> {
  attributes?: (AttributeObject | string)[];
  events?: (Event | string)[];
  purchases?: (Purchase | string)[];
}

export interface TrackRequest<Event extends TrackEntry, Purchase extends TrackEntry> {
  id: string;
  ws: string;
  at: Stamp;
  body: TrackBody<Event, Purchase>;
}

/** Where an entry comes from. */
export interface Origin {
  id: string;
  ws: string;
  at: Stamp;
}

export interface Item<Entry extends TrackEntry> {
  origin: Origin;
  kind: EntryKind;
  /** In its array. */
  index: number;
  /** In its request, over all arrays. */
  position: number;
  entry: Entry;
  identifier: Identifier;
  key: string;
}

export interface Prepared<Event extends TrackEntry, Purchase extends TrackEntry> {
  origin: Origin;
  body: TrackBody<Event, Purchase>;
  attributes: Item<AttributeObject>[];
  events: Item<Event>[];
  purchases: Item<Purchase>[];
}

const itemsOf = <Entry extends TrackEntry>(
  origin: Origin,
  kind: EntryKind,
  entries: readonly (Entry | string)[],
  offset: number,
): Item<Entry>[] => {
  const items: Item<Entry>[] = [];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (entry === undefined || typeof entry === 'string') continue;
    const identifier = identifierOf(entry);
    if (!identifier) throw new TypeError(`${kind}[${index}] was accepted without an identifier`);
    const key = identityKey(origin.ws, identifier);
    items.push({ origin, kind, index, position: offset + index, entry, identifier, key });
  }
  return items;
};

export const prepare = <Event extends TrackEntry, Purchase extends TrackEntry>(
  request: TrackRequest<Event, Purchase>,
): Prepared<Event, Purchase> => {
  const { attributes = [], events = [], purchases = [] } = request.body;
  return {
    origin: request,
    body: request.body,
    attributes: itemsOf(request, 'attributes', attributes, 0),
    events: itemsOf(request, 'events', events, attributes.length),
    purchases: itemsOf(request, 'purchases', purchases, attributes.length + events.length),
  };
};
