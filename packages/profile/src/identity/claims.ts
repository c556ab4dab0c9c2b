/** The owners of identifiers with the changes of the batch so far, and the tombstones of lost identifiers. */
import type { Identity, IdentityClaim } from '../find/claim.ts';
import type { NewFate } from '../find/fate.ts';
import type { Stamp } from '../profile.ts';

/** The tombstone of a lost identifier. `to`: its last owner, or for a service id the kept profile; without `to` the owner was deleted. */
export interface Tombstone extends Omit<NewFate, 'at'> {
  ws: string;
  key: string;
  /** Requests up to this stamp are too late; up to now without it. */
  until?: Stamp;
}

export interface ClaimWrites {
  added: Identity[];
  /** `moved`: the claim moved with its owner. `at`: a new owner has the identifier since this stamp. */
  moved: ({ key: string; profile: string } & ({ moved: Stamp } | { at: Stamp }))[];
  dropped: string[];
}

const isErased = ({ to, until }: Tombstone): boolean => to === undefined && until !== undefined;

const latest = (...all: Tombstone[]): Stamp => Math.max(...all.map(({ until = 0 }) => until));

export const createClaims = (known: ReadonlyMap<string, IdentityClaim>, now: Stamp) => {
  const before = new Map<string, string | undefined>();
  const after = new Map<string, string | undefined>();
  const tombstones = new Map<string, Tombstone>();
  /** Identifiers that had no owner at some moment of the batch. */
  const freed = new Set<string>();

  const ownerOf = (key: string): string | undefined =>
    after.has(key) ? after.get(key) : known.get(key)?.profile;

  /** `was`: the owner in the profile, when the claim was not loaded. */
  const give = (key: string, to: string | undefined, was?: string): void => {
    if (!before.has(key)) before.set(key, known.get(key)?.profile ?? was);
    after.set(key, to);
    if (to === undefined) freed.add(key);
  };

  /** Every batch writes in the same order: two batches never wait for each other crosswise. */
  const changed = (): [key: string, from: string | undefined, to: string | undefined][] =>
    [...after]
      .map(([key, to]) => [key, before.get(key), to] as [string, string | undefined, string | undefined])
      .filter(([, from, to]) => from !== to)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));

  return {
    ownerOf,
    give,
    /** Since when the owner has it: now, if this batch gave it; 0 if the claim is not loaded. */
    givenAt: (key: string): Stamp => (after.has(key) ? now : (known.get(key)?.at ?? 0)),
    /**
     * The first owner that lost the identifier in this batch: late requests were accepted before the batch. Of two deletions the later one
     * counts.
     */
    addTombstone(one: Tombstone): void {
      const first = tombstones.get(one.key);
      if (!after.has(one.key) || !first) tombstones.set(one.key, one);
      else if (isErased(first) && isErased(one))
        tombstones.set(one.key, { ...first, until: latest(first, one) });
    },
    tombstones: (): Tombstone[] => [...tombstones.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    writes(): ClaimWrites {
      const writes: ClaimWrites = { added: [], moved: [], dropped: [] };
      for (const [key, from, to] of changed()) {
        if (to === undefined) writes.dropped.push(key);
        else if (from === undefined) writes.added.push({ key, profile: to, at: now });
        else writes.moved.push({ key, profile: to, ...(freed.has(key) ? { at: now } : { moved: now }) });
      }
      return writes;
    },
  };
};

export type Claims = ReturnType<typeof createClaims>;
