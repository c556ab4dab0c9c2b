/** Whose the identifiers are, with what the batch has made of it so far; and what is left where somebody lost one. */
import type { Ending } from '../fate.ts';
import type { Stamp } from '../profile.ts';
import type { OwnerClaim } from './known.ts';

/** An identifier that somebody has lost: it leads to `to`, who had it; a service id to those into whom they were merged; without `to` they were deleted. */
export interface Buried extends Omit<Ending, 'at'> {
  ws: string;
  key: string;
  /** Requests up to this stamp are too late; up to now without it. */
  until?: Stamp;
}

export interface ClaimWrites {
  added: { key: string; profile: string; at: Stamp }[];
  /** With whoever had them; `at`: somebody else's, who has them only from now on. */
  moved: ({ key: string; profile: string } & ({ moved: Stamp } | { at: Stamp }))[];
  dropped: string[];
}

const isErased = ({ to, until }: Buried): boolean => to === undefined && until !== undefined;

const latest = (...all: Buried[]): Stamp => Math.max(...all.map(({ until = 0 }) => until));

export const createClaims = (known: ReadonlyMap<string, OwnerClaim>, now: Stamp) => {
  const before = new Map<string, string | undefined>();
  const after = new Map<string, string | undefined>();
  const buried = new Map<string, Buried>();
  /** Nobody had them for a moment. */
  const freed = new Set<string>();

  const ownerOf = (key: string): string | undefined =>
    after.has(key) ? after.get(key) : known.get(key)?.profile;

  /** `was`: those who have it by what their profile says. Their claims were not looked up. */
  const give = (key: string, to: string | undefined, was?: string): void => {
    if (!before.has(key)) before.set(key, known.get(key)?.profile ?? was);
    after.set(key, to);
    if (to === undefined) freed.add(key);
  };

  /** In one order everywhere, so that two batches don't wait for each other crosswise. */
  const changed = (): [key: string, from: string | undefined, to: string | undefined][] =>
    [...after]
      .map(([key, to]) => [key, before.get(key), to] as [string, string | undefined, string | undefined])
      .filter(([, from, to]) => from !== to)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));

  return {
    ownerOf,
    give,
    /** Since when they have it; in this batch, since now. */
    givenAt: (key: string): Stamp => (after.has(key) ? now : (known.get(key)?.at ?? 0)),
    /** What comes late by a claim was accepted before the batch: it is about the first person who lost it. Of two deletions the later one counts. */
    bury(one: Buried): void {
      const first = buried.get(one.key);
      if (!after.has(one.key) || !first) buried.set(one.key, one);
      else if (isErased(first) && isErased(one)) buried.set(one.key, { ...first, until: latest(first, one) });
    },
    buried: (): Buried[] => [...buried.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
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
