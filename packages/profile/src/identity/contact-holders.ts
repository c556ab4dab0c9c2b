/** People who share an email or phone, with the changes of the batch. */

import { createHolders, currentContactKeysOf, type Holder, hadContact } from '../find/holders.ts';
import { knownOrNeeded } from '../find/known.ts';
import type { Drafts } from '../fold/drafts.ts';
import type { Profile, Stamp } from '../profile.ts';
import type { IdentityKnown } from './known.ts';

export const createContactHolders = (known: IdentityKnown['holders'], needs: Set<string>, drafts: Drafts) => {
  /** People who had the contact after a change in this batch. */
  const newcomers = createHolders();

  /** People who have or had the contact; `undefined` when they are not loaded yet. */
  const peopleWith = (key: string): Holder[] | undefined => {
    const listed = knownOrNeeded(known, needs, key);
    if (!listed) return undefined;
    const drafted = [...(newcomers.of(key) ?? []), ...listed.map(({ _id }) => _id)].filter(drafts.has);
    const others = listed.filter(({ _id }) => !drafts.has(_id));
    return [...others, ...[...new Set(drafted)].flatMap((id) => drafts.current(id) ?? [])];
  };

  return {
    peopleWith,

    /** Whether no other person had an email or phone at a stamp; `undefined` when that is not known yet. */
    isOnlyOwner({ _id }: Profile, key: string, at: Stamp): boolean | undefined {
      const had = hadContact(key, at);
      return peopleWith(key)?.every((one) => one._id === _id || !had(one));
    },

    /** The batch has changed or created the profile. */
    changed(profile: Profile): void {
      newcomers.add(profile._id, currentContactKeysOf(profile));
    },
  };
};

export type ContactHolders = ReturnType<typeof createContactHolders>;
