/** Folds changes into a profile: latest stamp wins, steps find their place, whatever the order in which requests are folded. */
import { bytesOf, mostProfileBytes } from './bytes.ts';
import type { Change } from './change.ts';
import { setConsent } from './consent.ts';
import { setAttribute, stepAttribute } from './custom-attribute.ts';
import { setField } from './field.ts';
import { isTooLarge } from './json-bytes.ts';
import { clearList, putItems, setListKeys } from './keyed-list.ts';
import type { Note, NoteReason } from './note.ts';
import type { CustomAttribute, Profile, Stamp, Step } from './profile.ts';

export type { Note } from './note.ts';

export interface Folded {
  profile: Profile;
  notes: Note[];
  /** Where bytes are counted: how many the profile takes now. */
  bytes?: number;
  /** Nothing of it had room: the profile is the one that was given. */
  isFull?: true;
}

/** The profile that is being made. What is still shared with the old one is copied before it is changed. */
interface Draft {
  profile: Profile;
  old: Profile;
  at: Stamp;
  n: number;
  notes: Note[];
  /** Where the attributes are; worth its making only when there are many changes. */
  places: Map<string, number> | undefined;
  /** What the profile takes; where it is not known, nobody counts: nearly always. */
  bytes: number | undefined;
  /** How many changes had no room. */
  refused: number;
}

const manyChanges = 16;

type Kind<Name extends Change['kind']> = Extract<Change, { kind: Name }>;

const placeOf = ({ profile, places }: Draft, name: string): number =>
  places ? (places.get(name) ?? -1) : profile.custom.findIndex(({ k }) => k === name);

const note = ({ notes }: Draft, field: string, reason: NoteReason): void => {
  notes.push({ field, reason });
};

/** What makes a large profile smaller, or leaves it as it is, always has room. */
const hasRoom = (draft: Draft, name: string, before: unknown, after: unknown): boolean => {
  if (draft.bytes === undefined) return true;
  const added = bytesOf(after) - bytesOf(before);
  if (added > 0 && draft.bytes + added > mostProfileBytes) {
    draft.refused += 1;
    note(draft, name, 'profile_full');
    return false;
  }
  draft.bytes += added;
  return true;
};

/** Whether it had room. */
const put = (draft: Draft, place: number, next: CustomAttribute): boolean => {
  const { profile, old, places } = draft;
  const before = profile.custom[place];
  if (before === next) return true;
  if (!hasRoom(draft, next.k, before, next)) return false;
  if (profile.custom === old.custom) profile.custom = [...old.custom];
  const end = profile.custom.length;
  if (place < 0) places?.set(next.k, end);
  profile.custom[place < 0 ? end : place] = next;
  return true;
};

/** One that is too large is as if it had never come: whatever came before or comes later is not touched. */
const set = (draft: Draft, { name, value }: Kind<'set'>): void => {
  if (isTooLarge(value)) {
    note(draft, name, 'too_large');
    return;
  }
  const place = placeOf(draft, name);
  put(draft, place, setAttribute(draft.profile.custom[place], name, value, draft.at));
};

const step = (draft: Draft, { name, step: stepping }: Kind<'step'>): void => {
  const place = placeOf(draft, name);
  const next: Step = { at: draft.at, n: draft.n, ...stepping };
  const { attribute, reason } = stepAttribute(draft.profile.custom[place], name, next);
  if (put(draft, place, attribute) && reason) note(draft, name, reason);
};

const changeList = (draft: Draft, { name, items }: Kind<'list'>): void => {
  const { profile, at } = draft;
  const old = profile.lists[name];
  const next = items ? putItems(old, items, at) : clearList(old, at);
  // Keys of devices and tokens are kept once more, to find people by.
  if (items && !hasRoom(draft, name, [old, old], [next, next])) return;
  profile.lists = { ...profile.lists, [name]: next };
  setListKeys(profile);
};

const setPlain = ({ profile, old, at }: Draft, { name, value }: Kind<'field'>): void => {
  if (profile.fields === old.fields) profile.fields = { ...old.fields };
  setField(profile, name, value, at);
};

const consent = ({ profile, at }: Draft, { k, v }: Kind<'consent'>): void => {
  profile.consents = setConsent(profile.consents, k, v, at);
};

const apply = (draft: Draft, change: Change): void => {
  if (change.kind === 'set') set(draft, change);
  else if (change.kind === 'step') step(draft, change);
  else if (change.kind === 'field') setPlain(draft, change);
  else if (change.kind === 'consent') consent(draft, change);
  else changeList(draft, change);
};

/**
 * `n` is the position of the entry in its request: what the request does twice counts twice, and its repetition once. `bytes` are what
 * the profile takes: where they are given, it does not become too large to be stored.
 */
export const fold = (
  profile: Profile,
  changes: readonly Change[],
  at: Stamp,
  n: number,
  bytes?: number,
): Folded => {
  const next: Profile = {
    ...profile,
    created_at: Math.min(profile.created_at, at),
    updated_at: Math.max(profile.updated_at, at),
  };
  const places =
    changes.length > manyChanges ? new Map(profile.custom.map(({ k }, place) => [k, place])) : undefined;
  const draft: Draft = { profile: next, old: profile, at, n, notes: [], places, bytes, refused: 0 };
  for (const change of changes) apply(draft, change);
  const { notes, refused } = draft;
  if (draft.bytes === undefined) return { profile: next, notes };
  return refused > 0 && refused === changes.length
    ? { profile, notes, bytes: draft.bytes, isFull: true }
    : { profile: next, notes, bytes: draft.bytes };
};

export type Fold = typeof fold;
