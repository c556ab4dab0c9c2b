/** Claims that the entries of a batch make, and the locks of new people without a claim. */
import { type Identity, type IdentityClaim, isClaimed } from '../find/claim.ts';
import { type AnyItem, keysOfSubject } from './item.ts';
import type { PlanKnown } from './known.ts';

export const createClaims = (known: PlanKnown['claims']) => {
  const made = new Map<string, Identity>();
  const reached = new Map<string, Identity>();
  const locks = new Map<string, Identity>();

  return {
    /** The claim of an external id or alias. */
    claimOf: ({ identifier, key }: AnyItem): IdentityClaim | undefined =>
      isClaimed(identifier) ? (reached.get(key) ?? known.get(key) ?? made.get(key)) : undefined,

    /** A late request would have created the person in time, so the claim now starts at its stamp. */
    reachBack({ key, origin }: AnyItem, claim: IdentityClaim): void {
      reached.set(key, { ...claim, key, at: origin.at });
    },

    /** For a person that the entry creates. */
    claim(item: AnyItem, profile: string): void {
      const { at } = item.origin;
      if (isClaimed(item.identifier)) made.set(item.key, { key: item.key, profile, at });
      else
        for (const key of keysOfSubject(item.origin.ws, item.identifier))
          locks.set(key, { key, profile, at });
    },

    writes: () => ({
      claims: [...made.values()],
      /** Claims that now start at an earlier stamp. */
      reached: [...reached.values()],
      /** Emails, phones and push tokens of new people: two batches that create the same person at once collide by them. */
      locks: [...locks.values()],
    }),
  };
};
