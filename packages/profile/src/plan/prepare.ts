/** Cuts a request into its entries, in the order in which they count. */
import type { EntryKind } from '../decide.ts';
import { identifierOf } from '../identifier.ts';
import { identityKey, tokenIdentity } from '../identity-key.ts';
import type { Item, Origin, Prepared, Subject } from './item.ts';
import { importedTokens, withDeviceIds } from './push-tokens.ts';
import type { AttributeObject, TrackEntry, TrackRequest } from './track-request.ts';

const subjectOf = (entry: TrackEntry): Subject | undefined => {
  const identifier = identifierOf(entry);
  if (identifier) return identifier;
  const keys = importedTokens(entry);
  return keys && { by: 'tokens', keys };
};

/** Each token has a key; the entry has the key of its first token. */
const keyOf = (ws: string, subject: Subject): string =>
  subject.by === 'tokens' ? tokenIdentity(ws, subject.keys[0] ?? '') : identityKey(ws, subject);

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
    const key = keyOf(origin.ws, identifier);
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
): Prepared<Event, Purchase> => {
  const { attributes = [], events = [], purchases = [] } = request.body;
  return {
    origin: request,
    body: request.body,
    attributes: itemsOf(request, 'attributes', attributes, 0).map(withTokens),
    events: itemsOf(request, 'events', events, attributes.length),
    purchases: itemsOf(request, 'purchases', purchases, attributes.length + events.length),
  };
};
