/** Folds changes into a profile: latest stamp wins, increments add up, whatever the order in which requests are folded. */
import type { Change } from './change.ts';
import { baseOf, incrementAttribute, isCountable, setAttribute } from './custom-attribute.ts';
import { emailKey } from './identifier.ts';
import type { CustomAttribute, FieldName, Profile, Stamp, Stamped, Value } from './profile.ts';

export interface Note {
  field: string;
  reason: 'not_a_number';
}

export interface Folded {
  profile: Profile;
  notes: Note[];
}

/** Same stamp wins too: later entries of one request come later. */
const latest = (old: Stamped | undefined, v: Value, at: Stamp): Stamped =>
  old && at < old.at ? old : { v, at };

const keyOf: Partial<Record<FieldName, { key: 'email_key' | 'phone_key'; of: (text: string) => string }>> = {
  email: { key: 'email_key', of: emailKey },
  phone: { key: 'phone_key', of: (text) => text },
};

/** Keeps in step what people are found by. */
const setField = (profile: Profile, name: FieldName, value: Value, at: Stamp): void => {
  const { v } = latest(profile.fields[name], value, at);
  profile.fields[name] = latest(profile.fields[name], value, at);
  const found = keyOf[name];
  if (!found) return;
  if (typeof v === 'string') profile[found.key] = found.of(v);
  else delete profile[found.key];
};

type Drawer = { list: CustomAttribute[]; places: Map<string, number> };

const opened = (custom: readonly CustomAttribute[]): Drawer => ({
  list: [...custom],
  places: new Map(custom.map(({ k }, place) => [k, place])),
});

const put = ({ list, places }: Drawer, next: CustomAttribute): void => {
  const place = places.get(next.k);
  if (place !== undefined) list[place] = next;
  else places.set(next.k, list.push(next) - 1);
};

const find = ({ list, places }: Drawer, name: string): CustomAttribute | undefined => {
  const place = places.get(name);
  return place === undefined ? undefined : list[place];
};

export const fold = (profile: Profile, changes: readonly Change[], at: Stamp): Folded => {
  const next: Profile = {
    ...profile,
    fields: { ...profile.fields },
    created_at: Math.min(profile.created_at, at),
    updated_at: Math.max(profile.updated_at, at),
  };
  const notes: Note[] = [];
  let drawer: Drawer | undefined;
  for (const change of changes) {
    if (change.kind === 'field') {
      setField(next, change.name, change.value, at);
      continue;
    }
    drawer ??= opened(profile.custom);
    const old = find(drawer, change.name);
    if (change.kind === 'set') put(drawer, setAttribute(old, change.name, change.value, at));
    else {
      put(drawer, incrementAttribute(old, change.name, change.by, at));
      if (old && at >= old.at && !isCountable(baseOf(old)))
        notes.push({ field: change.name, reason: 'not_a_number' });
    }
  }
  if (drawer) next.custom = drawer.list;
  return { profile: next, notes };
};

export type Fold = typeof fold;
