/** Profiles with the changes of the batch. The batch needs a profile that is not loaded yet. */
import type { Drafts } from '../fold/drafts.ts';
import type { Profile } from '../profile.ts';
import type { KnownPeople } from './known.ts';

type Known = Pick<KnownPeople, 'profiles' | 'unloaded'>;

export const createProfiles = ({ profiles, unloaded }: Known, needs: Set<string>, drafts: Drafts) => {
  const isLoaded = (id: string): boolean => drafts.has(id) || profiles.has(id);

  return {
    isLoaded,

    /** The person exists, but the load budget of the requests is used up. */
    isUnloaded: (id: string): boolean => !isLoaded(id) && unloaded.has(id),

    /** There is no such person, or no more. */
    isAbsent: (id: string): boolean => isLoaded(id) && drafts.current(id) === undefined,

    person(id: string): Profile | undefined {
      if (!isLoaded(id) && !unloaded.has(id)) needs.add(id);
      return drafts.current(id);
    },
  };
};

export type Profiles = ReturnType<typeof createProfiles>;
