/** A person as `/users/export/ids` or `roster export` shows them, turned back into attribute entries and further names. */
import { fieldsOf, lostOf } from './exported-fields.ts';
import { identityOf, namesOf } from './exported-names.ts';
import { type FurtherName, isRecord, type JsonObject } from './row.ts';

export interface Translation {
  entries: JsonObject[];
  names: FurtherName[];
  /** What cannot make the trip, by name. */
  leftOut: string[];
}

type Pair = [name: string, value: JsonObject[string]];

/** Members of the identifier and of the entry itself: a custom attribute of this name could not be told from them. */
const reserved: ReadonlySet<string> = new Set([
  'external_id',
  'user_alias',
  'service_id',
  'email',
  'phone',
  'push_token_import',
  '_update_existing_only',
  '_merge_objects',
  'last_coordinates',
  'subscription_groups',
  'push_tokens',
]);

/** An entry takes at most 1,000 members; some are needed for who it is. */
const mostMembers = 900;

/** So many items of a list does an entry take. Those of the next one are added to them. */
const mostItems = 500;

const lists: ReadonlySet<string> = new Set([
  'apps',
  'campaigns_received',
  'canvases_received',
  'cards_clicked',
  'devices',
  'push_tokens',
  'subscription_groups',
]);

const portions = <Item>(list: readonly Item[], most: number): Item[][] =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, i) => list.slice(i * most, (i + 1) * most));

/** What of the fields goes into which entry: all into the first, save the further items of long lists. */
const fieldPortions = (fields: readonly Pair[]): Pair[][] => {
  const all: Pair[][] = [[]];
  for (const [name, value] of fields) {
    const isLong = lists.has(name) && Array.isArray(value) && value.length > mostItems;
    const parts = isLong ? portions(value, mostItems) : [value];
    for (const [place, part] of parts.entries()) {
      const entry = all[place] ?? [];
      entry.push([name, part]);
      all[place] = entry;
    }
  }
  return all;
};

/**
 * What is said beside an email is said about that email, and holds for everybody who has it. What is exported is what counts for this
 * person; so it is said first, and the email given afterwards.
 */
const isSaidFirst = (identity: JsonObject, { email, ...fields }: JsonObject): boolean =>
  email !== undefined &&
  identity.email === undefined &&
  ['email_subscribe', 'subscription_groups'].some((name) => Object.hasOwn(fields, name));

export const entriesOfExportedUser = (user: JsonObject): Translation => {
  const identity = identityOf(user);
  const fields = fieldsOf(user);
  const custom = isRecord(user.custom_attributes) ? Object.entries(user.custom_attributes) : [];
  const taken = (name: string) => reserved.has(name) || Object.hasOwn(fields, name);
  const attributes = portions(
    custom.filter(([name, value]) => value != null && !taken(name)),
    mostMembers,
  );
  const isLater = ([name]: Pair): boolean => name === 'email' && isSaidFirst(identity, fields);
  const pairs = Object.entries(fields);
  const shown = fieldPortions(pairs.filter((pair) => !isLater(pair)));
  const parts = Array.from({ length: Math.max(shown.length, attributes.length) }, (_, place) => [
    ...(shown[place] ?? []),
    ...(attributes[place] ?? []),
  ]);
  const later = pairs.filter(isLater);
  const clashing = custom.map(([name]) => name).filter(taken);
  return {
    // From entries, not by assignment: `__proto__` is only a name here.
    entries: [...parts, ...(later.length > 0 ? [later] : [])].map((part) =>
      Object.fromEntries([...Object.entries(identity), ...part]),
    ),
    names: namesOf(user),
    leftOut: [...lostOf(user), ...clashing.map((name) => `custom_attributes.${name}`)],
  };
};
