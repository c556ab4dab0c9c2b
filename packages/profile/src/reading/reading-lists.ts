/** How lists are read: the members that make the key of an item. */
import { type NewItem, tokenKey } from '../fold/keyed-list.ts';
import { isNested, type Nested } from '../fold/nested.ts';
import type { Note, NoteReason } from '../note.ts';
import type { ListName, Value } from '../profile.ts';
import { type Changes, ignored, only } from './reading.ts';

const text = (value: Value | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

type KeyOf = (item: Nested) => string | undefined;

/** The first of these members that is present. */
const first =
  (...members: string[]): KeyOf =>
  (item) =>
    members.map((name) => text(item[name])).find((found) => found !== undefined);

const appKey: KeyOf = ({ name, platform }) => {
  const known = text(name);
  return known === undefined ? undefined : `${known.length}:${known}:${text(platform) ?? ''}`;
};

const pushKey: KeyOf = ({ app_id, token }) => {
  const [app, sent] = [text(app_id), text(token)];
  return app === undefined || sent === undefined ? undefined : tokenKey(app, sent);
};

const keyOf: Record<ListName, KeyOf> = {
  apps: appKey,
  campaigns_received: first('api_campaign_id', 'name'),
  canvases_received: first('api_canvas_id', 'name'),
  cards_clicked: first('name'),
  devices: first('device_id'),
  push_tokens: pushKey,
};

/** An exported push token says `app`. */
const withAppId = (item: Nested): Nested => {
  if (!Object.hasOwn(item, 'app')) return item;
  const { app, ...rest } = item;
  return { app_id: app ?? null, ...rest };
};

const itemOf = (name: ListName, value: Value): NewItem | NoteReason => {
  if (!isNested(value)) return 'wrong_type';
  const v = name === 'push_tokens' ? withAppId(value) : value;
  const k = keyOf[name](v);
  return k === undefined ? 'no_key' : { k, v };
};

/** The key of a push token, sent or exported; `undefined` when it has no token or no app. */
export const pushTokenKey = (value: Value): string | undefined => {
  const item = itemOf('push_tokens', value);
  return typeof item === 'string' ? undefined : item.k;
};

/** `null` removes all. */
export const readList = (name: ListName, value: Value): Changes => {
  if (value === null) return only({ kind: 'list', name, items: null });
  if (!Array.isArray(value)) return ignored(name, 'wrong_type');
  const items: NewItem[] = [];
  const notes: Note[] = [];
  for (const one of value) {
    const item = itemOf(name, one);
    if (typeof item === 'string') notes.push({ field: name, reason: item });
    else items.push(item);
  }
  return { changes: items.length > 0 ? [{ kind: 'list', name, items }] : [], notes };
};
