/** Folds changes into a profile: the latest stamp wins, steps find their place, and the order of folding has no effect. */
import { bytesOf, storedBytesOf } from '../bytes.ts';
import { type Stated, withStatements } from '../consent/consent.ts';
import { isTooLarge } from '../json-bytes.ts';
import type { Note, NoteReason } from '../note.ts';
import type { AttributeStep, CustomAttribute, List, ListName, Profile, Stamp, Stepping } from '../profile.ts';
import type { ProfileChange } from '../reading/change.ts';
import type { Work } from '../work.ts';
import { setAttribute, stepAttribute } from './custom-attribute.ts';
import { setField } from './field.ts';
import { clearList, mostItems, putItems, setListKeys } from './keyed-list.ts';
import { type AttributePlaces, placesIn } from './places.ts';

export type { Note } from '../note.ts';

export interface Size {
  bytes: number;
  most: number;
  /** The whole profile is loaded, so an estimate is enough far from the bound: it can be counted again. */
  isWhole?: boolean;
  /** The bytes are estimated, never too few. */
  isEstimate?: boolean;
}

/** The bounds of a fold. A missing member means no bound. */
export interface FoldRoom {
  size?: Size;
  /** The work left for the steps of its request. */
  work?: Work;
  /** The places of its attributes; looked up without it. The fold keeps them up to date. */
  places?: AttributePlaces;
}

export interface Folded {
  profile: Profile;
  notes: Note[];
  /** With a bound: the bytes of the profile now. */
  size?: Size;
  /** No change had room: the profile is the given one. */
  isFull?: true;
}

/** The profile in the making. Parts shared with the old one are copied before they are changed. */
interface FoldDraft {
  profile: Profile;
  old: Profile;
  at: Stamp;
  n: number;
  notes: Note[];
  places: AttributePlaces;
  size: FoldRoom['size'];
  work: Work | undefined;
  /** The number of changes without room. */
  refused: number;
}

type ChangeOf<Name extends ProfileChange['kind']> = Extract<ProfileChange, { kind: Name }>;

const placeOf = ({ places }: FoldDraft, name: string): number => places.get(name) ?? -1;

const note = ({ notes }: FoldDraft, field: string, reason: NoteReason): void => {
  notes.push({ field, reason });
};

/** Counting costs ten times as much as a usual change. An estimate is one look; structured values are counted. */
const estimateOf = ({ k, v, steps, from }: CustomAttribute): number | undefined => {
  if (steps || from || (typeof v === 'object' && v !== null)) return undefined;
  return mostBytesOfRest + mostBytesOfUnit * (k.length + (typeof v === 'string' ? v.length : 0));
};
const mostBytesOfRest = 64;
const mostBytesOfUnit = 3;
const mostBytesOfStep = 160;

/** A step makes a value larger by at most its own bytes. The value before the step is kept beside it, as the base. */
const estimateOfStep = (before: CustomAttribute | undefined, name: string, stepping: Stepping) => {
  if ('merge' in stepping || 'objects' in stepping) return undefined;
  const base = before?.steps ? 0 : bytesOf(before?.v);
  return mostBytesOfStep + mostBytesOfUnit * name.length + 2 * bytesOf(stepping) + base;
};

/** Counts the bytes before an estimate refuses a change. */
const counted = ({ profile, size }: FoldDraft): number | undefined =>
  size?.isEstimate ? bytesOf(profile) : size?.bytes;

/** A change that does not make the profile larger always has room. */
const hasRoom = (draft: FoldDraft, name: string, before: unknown, after: unknown, estimate?: number) => {
  const { size } = draft;
  if (!size) return true;
  const { bytes, most, isWhole = false } = size;
  if (isWhole && estimate !== undefined && bytes + estimate <= most / 2) {
    draft.size = { ...size, bytes: bytes + estimate, isEstimate: true };
    return true;
  }
  const bytesAfter = bytesOf(after);
  const isOverWith = (added: number): boolean => added > 0 && bytes + added > most;
  let added = bytesAfter - (storedBytesOf(before) ?? bytesOf(before));
  // The stored bytes may be slightly fewer than the counted ones.
  if (isOverWith(added)) added = bytesAfter - bytesOf(before);
  const isOver = isOverWith(added);
  const exact = isOver ? (counted(draft) ?? bytes) : bytes;
  draft.size = { ...size, bytes: exact, isEstimate: !isOver && size.isEstimate === true };
  if (added > 0 && exact + added > most) return refuse(draft, name, 'profile_full');
  draft.size.bytes += added;
  return true;
};

const refuse = (draft: FoldDraft, name: string, reason: NoteReason): false => {
  draft.refused += 1;
  note(draft, name, reason);
  return false;
};

/** Returns whether the attribute had room. */
const put = (draft: FoldDraft, place: number, next: CustomAttribute, estimate = estimateOf(next)) => {
  const { profile, old, places } = draft;
  const before = profile.custom[place];
  if (before === next) return true;
  if (!hasRoom(draft, next.k, before, next, estimate)) return false;
  if (profile.custom === old.custom) profile.custom = old.custom.slice();
  const end = profile.custom.length;
  if (place < 0) places.set(next.k, end);
  profile.custom[place < 0 ? end : place] = next;
  return true;
};

/** A value that is too large is ignored as if it had never come: no other value is touched. */
const set = (draft: FoldDraft, { name, value }: ChangeOf<'set'>): void => {
  if (isTooLarge(value)) {
    note(draft, name, 'too_large');
    return;
  }
  const place = placeOf(draft, name);
  put(draft, place, setAttribute(draft.profile.custom[place], name, value, draft.at));
};

/** A step without work left is not remembered: it never happened. */
const step = (draft: FoldDraft, { name, step: stepping }: ChangeOf<'step'>): void => {
  const { work } = draft;
  if (work && work.left <= 0) {
    note(draft, name, 'too_much_work');
    return;
  }
  const place = placeOf(draft, name);
  const next: AttributeStep = { at: draft.at, n: draft.n, ...stepping };
  const before = draft.profile.custom[place];
  const { attribute, reason, work: spent } = stepAttribute(before, name, next);
  if (work) work.left -= spent;
  const estimate = estimateOfStep(before, name, stepping);
  if (put(draft, place, attribute, estimate) && reason) note(draft, name, reason);
};

/** Keys of devices and tokens are stored a second time, to find people by them. */
const withKeys = (name: ListName, list: List | undefined): unknown =>
  name === 'devices' || name === 'push_tokens' ? [list, list?.items.map(({ k }) => k)] : list;

const changeList = (draft: FoldDraft, { name, items }: ChangeOf<'list'>): void => {
  const { profile, at } = draft;
  const old = profile.lists[name];
  const next = items ? putItems(old, items, at) : clearList(old, at);
  if (items && !hasRoom(draft, name, withKeys(name, old), withKeys(name, next))) return;
  if (items && isCut(old, items, next)) note(draft, name, 'list_full');
  profile.lists = { ...profile.lists, [name]: next };
  setListKeys(profile);
};

/** Whether an old or a new item was cut off. */
const isCut = (old: List | undefined, items: readonly { k: string }[], { items: next }: List): boolean => {
  if (next.length < mostItems) return false;
  const keys = new Set([...(old?.items ?? []), ...items].map(({ k }) => k));
  return keys.size > next.length;
};

const setPlain = ({ profile, old, at }: FoldDraft, { name, value }: ChangeOf<'field'>): void => {
  if (profile.fields === old.fields) profile.fields = { ...old.fields };
  setField(profile, name, value, at);
};

/** All at once: there may be as many as there are subscription groups. */
const setAllConsents = ({ profile, at, n }: FoldDraft, changes: readonly ProfileChange[]): void => {
  const statements = statementsIn(changes, at, n);
  if (statements.length > 0) profile.consents = withStatements(profile.consents, statements);
};

/** The statements of consent in the changes of one entry. */
export const statementsIn = (changes: readonly ProfileChange[], at: Stamp, n: number): Stated[] =>
  changes.flatMap((change) => {
    if (change.kind !== 'consent') return [];
    const { k, v, op } = change;
    return [{ k, v, at, ...(n > 0 && { n }), ...(op !== undefined && { op }) }];
  });

const apply = (draft: FoldDraft, change: ProfileChange): void => {
  if (change.kind === 'set') set(draft, change);
  else if (change.kind === 'step') step(draft, change);
  else if (change.kind === 'field') setPlain(draft, change);
  else if (change.kind === 'list') changeList(draft, change);
};

/** `n` is the position of the entry in its request: two equal steps of a request count twice, a repeated request counts once. */
export const fold = (
  profile: Profile,
  changes: readonly ProfileChange[],
  at: Stamp,
  n: number,
  { size, work, places = placesIn(profile) }: FoldRoom = {},
): Folded => {
  const next: Profile = {
    ...profile,
    created_at: Math.min(profile.created_at, at),
    updated_at: Math.max(profile.updated_at, at),
  };
  const draft: FoldDraft = {
    profile: next,
    old: profile,
    at,
    n,
    notes: [],
    places,
    size,
    work,
    refused: 0,
  };
  for (const change of changes) apply(draft, change);
  setAllConsents(draft, changes);
  const { notes, refused } = draft;
  if (!draft.size) return { profile: next, notes };
  const { size: left } = draft;
  return refused > 0 && refused === changes.length
    ? { profile, notes, size: left, isFull: true }
    : { profile: next, notes, size: left };
};

export type Fold = typeof fold;
