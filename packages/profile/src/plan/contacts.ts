/** What the entries of a batch say of emails and phones. */
import { type Statement, saidAfter, withoutSaid, withStatements } from '../consent.ts';
import type { Consent, Stamp } from '../profile.ts';

/** All that was said of a contact, with this batch. */
export interface ContactWrite {
  /** Identity key of the email or phone. */
  key: string;
  ws: string;
  consents: readonly Consent[];
  /** Perhaps nobody has it: then it is not kept for good. */
  perhapsNobodys?: true;
  /** Its last owner was deleted. */
  isErased?: true;
}

export const createContacts = (known: ReadonlyMap<string, readonly Consent[]>, needs: Set<string>) => {
  const written = new Map<string, ContactWrite>();

  /** When that is not known, it is asked for. */
  const get = (key: string): readonly Consent[] => {
    const consents = written.get(key)?.consents ?? known.get(key);
    if (!consents) needs.add(key);
    return consents ?? [];
  };

  const write = (ws: string, key: string, consents: readonly Consent[], perhapsNobodys = false): void => {
    const isMarked = perhapsNobodys || written.get(key)?.perhapsNobodys === true;
    const { isErased } = written.get(key) ?? {};
    written.set(key, {
      key,
      ws,
      consents,
      ...(isMarked && { perhapsNobodys: true as const }),
      ...(isErased && { isErased }),
    });
  };

  return {
    get,

    /** Of the contact itself, or of somebody who has it. */
    say(ws: string, key: string, statements: readonly Statement[], isOfContact = false): void {
      write(ws, key, withStatements(get(key), statements), isOfContact);
    },

    retract(ws: string, key: string, { k, ...said }: Statement): void {
      write(ws, key, withoutSaid(get(key), k, said));
    },

    /** Its last owner is deleted: only what was said later stays. */
    erase(ws: string, key: string, at: Stamp): void {
      const before = get(key);
      if (before.length === 0) return;
      written.set(key, { key, ws, consents: saidAfter(before, at), perhapsNobodys: true, isErased: true });
    },

    /** Somebody leaves it, perhaps the last one. */
    leave(ws: string, key: string): void {
      const consents = get(key);
      if (consents.length > 0) write(ws, key, consents, true);
    },

    /** In one order everywhere, so that two batches don't wait for each other crosswise. */
    writes: (): ContactWrite[] => [...written.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
};

export type Contacts = ReturnType<typeof createContacts>;
