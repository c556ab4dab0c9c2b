/** What travels between the processes: a request as it was accepted. */

/** A whole number that a double does not hold is a `bigint`. */
export type Json = string | number | bigint | boolean | null | Json[] | { [name: string]: Json };

export type UserAlias = { alias_name: string; alias_label: string };

/** What stands behind the question mark: several where the operation takes several, a number where it takes a number. */
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

/** The list of this name; an empty one where there is none. */
export function listAt(holder: { [name: string]: Json | undefined } | undefined, name: string): Json[] {
  const list = holder?.[name];
  return Array.isArray(list) ? list : [];
}

/** A plain object, not an array and not null. */
export function isJsonObject(value: unknown): value is { [name: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
