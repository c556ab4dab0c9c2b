import type { Leave } from './places.ts';

/** A message whose texts are written, in the shape of the interface. */
export interface Outgoing {
  /** The same for each try. */
  id: string;
  /** The email, or the token of a device; nothing for a webhook. */
  to: string;
  /** Where the provider tells what became of it, if it is told. */
  report?: string;
  /** Headers of an email that are not the sender's: those by which one click unsubscribes. */
  headers?: Readonly<Record<string, string>>;
  /** Without it, it stands in line as long as it takes. */
  leave?: Leave;
  content: { readonly [name: string]: unknown };
}
