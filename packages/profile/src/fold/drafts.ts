/** The profiles with the changes of the batch so far. */
import type { Profile } from '../profile.ts';

/** A profile as it was loaded, and as it is to be. */
export interface ChangedProfile {
  before: Profile;
  after: Profile;
}

interface DraftWrites {
  created: Profile[];
  changed: ChangedProfile[];
  /** Service ids. */
  removed: string[];
}

export const createDrafts = (loaded: ReadonlyMap<string, Profile | undefined>) => {
  /** `undefined`: removed. */
  const drafts = new Map<string, Profile | undefined>();
  const created = new Set<string>();

  const put = (profile: Profile): void => {
    drafts.set(profile._id, profile);
  };

  return {
    put,

    create(profile: Profile): void {
      created.add(profile._id);
      put(profile);
    },

    remove(id: string): void {
      drafts.set(id, undefined);
    },

    /** Whether the batch has changed, created or removed the profile. */
    has: (id: string): boolean => drafts.has(id),
    isNew: (id: string): boolean => created.has(id),
    isRemoved: (id: string): boolean => drafts.has(id) && drafts.get(id) === undefined,

    /** The profile with the changes of the batch; `undefined` when it is removed or not loaded. */
    current: (id: string): Profile | undefined =>
      drafts.get(id) ?? (drafts.has(id) ? undefined : loaded.get(id)),

    /** Every batch writes in the same order: two batches never wait for each other crosswise. */
    writes(): DraftWrites {
      const writes: DraftWrites = { created: [], changed: [], removed: [] };
      for (const [id, after] of [...drafts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const before = loaded.get(id);
        if (!after && !created.has(id)) writes.removed.push(id);
        else if (after && created.has(id)) writes.created.push(after);
        else if (after && before) writes.changed.push({ before, after });
      }
      return writes;
    },
  };
};

export type Drafts = ReturnType<typeof createDrafts>;
