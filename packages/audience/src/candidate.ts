/** The people whom an audience is about. */

export type ConsentState = 'opted_in' | 'subscribed' | 'unsubscribed';

/** The parts of a person that an audience asks for. Plain values: they go to a thread. */
export interface Candidate {
  /** A removed attribute is missing. */
  attributes: ReadonlyMap<string, unknown>;
  /** Without a statement: undefined. */
  email: ConsentState | undefined;
  push: ConsentState | undefined;
  /** When they used an app last, in milliseconds. */
  lastUsed: number | undefined;
}
