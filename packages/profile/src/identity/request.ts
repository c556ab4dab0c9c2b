/** The requests that change who people are: their entries, and the identifiers that these name. */
import type { Identifier } from '../identifier.ts';
import type { EntryNote } from '../plan/result.ts';
import type { Stamp } from '../profile.ts';
import type { Preference } from './prioritize.ts';

/** A person, as an entry names them. */
export interface Named {
  who: Identifier;
  prioritization?: readonly Preference[];
}

export type IdentityEntry =
  | { do: 'alias_new'; label: string; name: string; external_id?: string }
  | { do: 'alias_update'; label: string; from: string; to: string }
  | { do: 'identify'; external_id: string; named: Named; merges: boolean }
  | { do: 'merge'; away: Named; kept: Named }
  | { do: 'delete'; named: Named }
  | { do: 'rename'; from: string; to: string }
  | { do: 'remove'; external_id: string };

/** A text stands for a refused entry: the reason. */
export type ListedEntry = IdentityEntry | string;

export interface IdentityRequest {
  id: string;
  ws: string;
  at: Stamp;
  /** By the name of the array in the request. */
  lists: { [array: string]: readonly ListedEntry[] };
  /** Members that are ignored for any person. */
  notes?: readonly EntryNote<string>[];
}
