/** The types that travel between processes: an accepted request, and its outcome. */

/** A whole number that a double does not hold is a `bigint`. */
export type Json = string | number | bigint | boolean | null | Json[] | { [name: string]: Json };

export type UserAlias = { alias_name: string; alias_label: string };

/** Query parameters: a list where the operation takes several values, a number where it takes a number. */
export type Query = { [name: string]: string | number | string[] };

/** Who an accepted entry is about. At most one of the first three; `email` and `phone` count only when none of them is there. */
export interface Identifiers {
  external_id?: string;
  user_alias?: UserAlias;
  service_id?: string;
  email?: string | null;
  phone?: string | null;
}

export interface AttributeEntry extends Identifiers {
  _update_existing_only?: boolean;
  /** Profile fields by their names, everything else is a custom attribute. `null` removes. */
  [name: string]: Json | undefined;
}

export interface EventEntry extends Identifiers {
  name: string;
  time: string;
  app_id?: string | null;
  properties?: { [name: string]: Json } | null;
  _update_existing_only?: boolean;
}

export interface PurchaseEntry extends Identifiers {
  product_id: string;
  currency: string;
  price: number;
  time: string;
  quantity?: number;
  app_id?: string | null;
  properties?: { [name: string]: Json } | null;
  _update_existing_only?: boolean;
}

/** Arrays keep their positions: an entry that was refused is replaced by its error code. */
export interface TrackAccepted {
  attributes?: (AttributeEntry | string)[];
  events?: (EventEntry | string)[];
  purchases?: (PurchaseEntry | string)[];
}

/** `updated`: an existing person got it. */
export type EntryResult = 'created' | 'updated' | `ignored:${string}` | `refused:${string}`;

/** Something that was ignored inside an entry that was applied. */
export interface OutcomeNote {
  input_array: string;
  index: number;
  field?: string;
  reason: string;
  /** Of the last one, when there were too many: how many more, at least. */
  count?: number;
}

export interface Outcome {
  state: 'applied' | 'failed';
  /** By the name of the array: `attributes`, `events`, `purchases`. */
  entries?: Record<string, EntryResult[]>;
  reason?: string;
  notes?: OutcomeNote[];
}

/** A plain object, not an array and not null. */
export function isJsonObject(value: unknown): value is { [name: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
