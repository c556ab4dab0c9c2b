/** The entries of a request in the order in which they count, each with its subject. */
import type { EntryKind } from '../find/decide.ts';
import {
  type Identifier,
  identifierOf,
  identityKey,
  type NamedByEntry,
  tokenIdentity,
} from '../find/identifier.ts';
import type { Stamp, Value } from '../profile.ts';
import { importedTokens, withDeviceIds } from './push-tokens.ts';

/** An accepted entry. Its kind says which of its other members matter. */
export interface TrackEntry extends NamedByEntry {
  _update_existing_only?: boolean;
  push_token_import?: Value | undefined;
  push_tokens?: Value | undefined;
}

export interface AttributeObject extends TrackEntry {
  [name: string]: Value | undefined;
}

/** A text stands for a refused entry: the reason. */
export interface TrackBody<Event extends TrackEntry, Purchase extends TrackEntry> {
  attributes?: (AttributeObject | string)[];
  events?: (Event | string)[];
  purchases?: (Purchase | string)[];
}

/** The request of an entry. */
export interface Origin {
  id: string;
  ws: string;
  at: Stamp;
  /** The operation. */
  op?: string;
}

export interface TrackRequest<Event extends TrackEntry, Purchase extends TrackEntry> extends Origin {
  body: TrackBody<Event, Purchase>;
}

/** Finds the person of an entry: the identifier that it names, or the push tokens that it imports. */
export type EntrySubject = Identifier | { by: 'tokens'; keys: string[] };

export interface Item<Entry extends TrackEntry> {
  origin: Origin;
  kind: EntryKind;
  /** In its array. */
  index: number;
  /** In its request, over all arrays. */
  position: number;
  entry: Entry;
  identifier: EntrySubject;
  key: string;
}

export type AnyItem = Item<TrackEntry>;

export interface PreparedRequest<Event extends TrackEntry, Purchase extends TrackEntry> {
  origin: Origin;
  body: TrackBody<Event, Purchase>;
  attributes: Item<AttributeObject>[];
  events: Item<Event>[];
  purchases: Item<Purchase>[];
}

export const subjectOf = (entry: TrackEntry): EntrySubject | undefined => {
  const identifier = identifierOf(entry);
  if (identifier) return identifier;
  const keys = importedTokens(entry);
  return keys && { by: 'tokens', keys };
};

/** One key, or one for each token: two batches that create the same person at once collide by them. */
export const keysOfSubject = (ws: string, subject: EntrySubject): string[] =>
  subject.by === 'tokens'
    ? subject.keys.map((token) => tokenIdentity(ws, token))
    : [identityKey(ws, subject)];

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
    const identifier = subjectOf(entry);
    if (!identifier) throw new TypeError(`${kind}[${index}] was accepted without an identifier`);
    const [key = ''] = keysOfSubject(origin.ws, identifier);
    items.push({ origin, kind, index, position: offset + index, entry, identifier, key });
  }
  return items;
};

const withTokens = (item: Item<AttributeObject>): Item<AttributeObject> =>
  Array.isArray(item.entry.push_tokens)
    ? { ...item, entry: withDeviceIds(item.entry, item.origin.id, item.position) }
    : item;

export const prepare = <Event extends TrackEntry, Purchase extends TrackEntry>(
  request: TrackRequest<Event, Purchase>,
): PreparedRequest<Event, Purchase> => {
  const { attributes = [], events = [], purchases = [] } = request.body;
  return {
    origin: request,
    body: request.body,
    attributes: itemsOf(request, 'attributes', attributes, 0).map(withTokens),
    events: itemsOf(request, 'events', events, attributes.length),
    purchases: itemsOf(request, 'purchases', purchases, attributes.length + events.length),
  };
};
