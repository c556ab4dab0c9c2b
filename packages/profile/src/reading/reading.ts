/** The context in which an attribute object is read: how texts are understood, and the settings of the workspace. */
import type { NewItem } from '../fold/keyed-list.ts';
import type { Note, NoteReason } from '../note.ts';
import type { ConsentState, FieldName, ListName, Stepping, Value } from '../profile.ts';

export type ProfileChange =
  | { kind: 'field'; name: FieldName; value: Value }
  | { kind: 'list'; name: ListName; items: NewItem[] | null }
  | { kind: 'consent'; k: string; v: ConsentState | null; op?: string }
  | { kind: 'set'; name: string; value: Value }
  | { kind: 'step'; name: string; step: Stepping };

/** Each answers `undefined` for a text that it does not understand. */
export interface Reading {
  /** ISO text with milliseconds and Z. */
  time(text: string): string | undefined;
  country(text: string): string | undefined;
  timeZone(text: string): string | undefined;
  language(text: string): string | undefined;
}

export interface AttributeSettings {
  /** Names that are ignored. */
  blockedAttributes: ReadonlySet<string>;
  /** How many elements an array may have. */
  mostElements: number;
  /** How many bytes a profile may take. */
  mostProfileBytes: number;
  /** Whether a subscription group is one of text messages; emails otherwise. */
  isOfTexts?(group: string): boolean;
}

export interface Changes {
  changes: ProfileChange[];
  notes: Note[];
}

export const nothing = (): Changes => ({ changes: [], notes: [] });

export const only = (change: ProfileChange): Changes => ({ changes: [change], notes: [] });

/** It was not understood; nothing happens. */
export const ignored = (field: string, reason: NoteReason): Changes => ({
  changes: [],
  notes: [{ field, reason }],
});
