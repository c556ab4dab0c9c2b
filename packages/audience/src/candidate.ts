/** A person as an audience sees them. */

export type ConsentState = 'opted_in' | 'subscribed' | 'unsubscribed';

/** The parts of a person that an audience asks for. */
export interface Candidate {
  /** A removed attribute is missing. */
  attribute(name: string): unknown;
  /** Without a statement: undefined. */
  email: ConsentState | undefined;
  push: ConsentState | undefined;
  /** When they used an app last, in milliseconds. */
  lastUsed: number | undefined;
}
