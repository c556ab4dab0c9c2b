/** The profiles with the changes of the batch so far. */
import type { Profile } from '../profile.ts';

/** A profile as it was loaded, and as it is to be. */
export interface ChangedProfile {
  before: Profile;
  after: Profile;
}

export const createDrafts = (loaded: ReadonlyMap<string, Profile | undefined>) => {
  /** `undefined`: removed. */
  const drafts = new Map<string, Profile | undefined>();
  const fresh = new Set<string>();

  const put = (profile: Profile): void => {
    drafts.set(profile._id, profile);
  };

  return {
    put,

    create(profile: Profile): void {
      fresh.add(profile._id);
      put(profile);
    },

    remove(id: string): void {
      drafts.set(id, undefined);
    },

    /** Whether the batch has changed, created or removed the profile. */
    has: (id: string): boolean => drafts.has(id),
    isNew: (id: string): boolean => fresh.has(id),
    isRemoved: (id: string): boolean => drafts.has(id) && drafts.get(id) === undefined,

    /** The profile with the changes of the batch; `undefined` when it is removed or not loaded. */
    current: (id: string): Profile | undefined =>
      drafts.get(id) ?? (drafts.has(id) ? undefined : loaded.get(id)),

    /** Every batch writes in the same order: two batches never wait for each other crosswise. */
    writes() {
      const [created, changed]: [Profile[], ChangedProfile[]] = [[], []];
      /** Service ids. */
      const removed: string[] = [];
      for (const [id, after] of [...drafts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const before = loaded.get(id);
        if (!after && !fresh.has(id)) removed.push(id);
        else if (after && fresh.has(id)) created.push(after);
        else if (after && before) changed.push({ before, after });
      }
      return { created, changed, removed };
    },
  };
};

export type Drafts = ReturnType<typeof createDrafts>;
