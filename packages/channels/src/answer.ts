/** What became of one message at its provider. */
export type Answer =
  /** The provider took it over; `id` is its name there, if it has one. */
  | { state: 'sent'; id?: string }
  /** It will never take it. `gone`: the device; since that moment, if the provider says so. */
  | { state: 'refused'; reason: string; gone?: { since?: number } }
  /** It has certainly not taken it, and may do so later. `unbegun`: nothing was asked of it, because there was no place in time. */
  | { state: 'later'; reason: string; afterMs?: number; unbegun?: true }
  /** It was handed over, and there is no answer: it may have been taken. */
  | { state: 'unknown'; reason: string };
