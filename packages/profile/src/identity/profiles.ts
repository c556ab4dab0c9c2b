/** Profiles with the changes of the batch. The batch needs a profile that is not loaded yet. */
import type { Drafts } from '../fold/drafts.ts';
import type { Profile } from '../profile.ts';
import type { IdentityKnown, IdentityNeeds } from './known.ts';

export const createProfiles = (known: IdentityKnown, needs: IdentityNeeds, drafts: Drafts) => {
  const isLoaded = (id: string): boolean => drafts.has(id) || known.profiles.has(id);

  return {
    isLoaded,

    /** The person exists, but the load budget of the requests is used up. */
    isUnloaded: (id: string): boolean => !isLoaded(id) && known.unloaded.has(id),

    person(id: string): Profile | undefined {
      if (!isLoaded(id) && !known.unloaded.has(id)) needs.profiles.add(id);
      return drafts.current(id);
    },

    /** Whether the profile is loaded with attributes and lists. If the requests have room for it, the batch needs it. */
    hasWhole(id: string): boolean | 'no_room' {
      if (known.whole.has(id) || drafts.isNew(id)) return true;
      if (known.unloaded.has(id)) return 'no_room';
      needs.whole.add(id);
      return false;
    },
  };
};

export type Profiles = ReturnType<typeof createProfiles>;
