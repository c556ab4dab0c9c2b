/** Statements of consent about emails and phones, with those of the batch. */

import { knownOrNeeded } from '../find/known.ts';
import type { Consent, Stamp } from '../profile.ts';
import { type Stated, saidAfter, withoutSaid, withStatements } from './consent.ts';

/** All statements about a contact that are kept after the batch. */
export interface ContactWrite {
  /** Identity key of the email or phone. */
  key: string;
  ws: string;
  consents: readonly Consent[];
  /** The contact may have no owner: then the store keeps it for a while only. */
  mayBeUnowned?: true;
  /** The last owner was deleted. */
  isErased?: true;
}

export const createContacts = (known: ReadonlyMap<string, readonly Consent[]>, needs: Set<string>) => {
  const written = new Map<string, ContactWrite>();

  /** Until the statements are loaded there are none, and the batch needs them. */
  const get = (key: string): readonly Consent[] =>
    written.get(key)?.consents ?? knownOrNeeded(known, needs, key) ?? [];

  /** A mark stays. */
  const write = (ws: string, key: string, consents: readonly Consent[], mayBeUnowned = false): void => {
    const marks = mayBeUnowned && { mayBeUnowned: true as const };
    written.set(key, { ...written.get(key), key, ws, consents, ...marks });
  };

  return {
    get,

    /** `isOfContact`: about the contact itself, not about a person who has it. */
    say(ws: string, key: string, statements: readonly Stated[], isOfContact = false): void {
      write(ws, key, withStatements(get(key), statements), isOfContact);
    },

    retract(ws: string, key: string, { k, ...said }: Stated): void {
      write(ws, key, withoutSaid(get(key), k, said));
    },

    /** The last owner is deleted: only later statements stay. */
    erase(ws: string, key: string, stamp: Stamp): void {
      const before = get(key);
      if (before.length === 0) return;
      written.set(key, { key, ws, consents: saidAfter(before, stamp), mayBeUnowned: true, isErased: true });
    },

    /** A person leaves the contact, perhaps as its last owner. */
    leave(ws: string, key: string): void {
      const consents = get(key);
      if (consents.length > 0) write(ws, key, consents, true);
    },

    /** Every batch writes in the same order: two batches never wait for each other crosswise. */
    writes: (): ContactWrite[] => [...written.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
};

export type Contacts = ReturnType<typeof createContacts>;
