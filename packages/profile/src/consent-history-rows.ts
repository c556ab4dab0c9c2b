/**
 * What is kept of statements of consent: who said what of whom, when, and what stood there before. A repeated statement that changes
 * nothing leaves no row. Rows are never read on the way to a state: see consent-history.ts.
 */
import type { Said } from './consent.ts';
import type { Consent, ConsentState, Stamp } from './profile.ts';

/** A register as a statement found it. */
export interface Found {
  v: ConsentState | null;
  at: Stamp;
}

export interface ConsentRow {
  /** The request that said it, and the place of the row among all of that request. */
  request: string;
  n: number;
  ws: string;
  /** Service id, when it was said of somebody, and identity key, when it was said of an email or phone; both when of both. */
  profile?: string;
  address?: string;
  /** As in a register. Or `had`: not a statement, but that somebody has left an address, which they had since `since`. */
  k: string;
  to: ConsentState | null;
  at: Stamp;
  orphan?: true;
  /** The registers as they were found, of the person and of the address: earlier, or later when this one came late. */
  own?: Found;
  said?: Found & { orphan?: true; taken?: true };
  since?: Stamp;
}

/** What was said, and where it was written. */
export interface Spoken {
  request: string;
  ws: string;
  k: string;
  v: ConsentState | null;
  at: Stamp;
  orphan?: true;
  profile?: { id: string; before: readonly Consent[] };
  address?: { key: string; before: readonly Said[] };
  /** What counted, of all registers, for those who are known to be concerned: then a repetition may be a change. */
  counted?: readonly (ConsentState | null)[];
}

export const stayKind = 'had';

/** Somebody is not found by an address any more. */
export interface Left {
  request: string;
  ws: string;
  profile: string;
  address: string;
  since: Stamp;
  until: Stamp;
}

const foundIn = <One extends Consent>(before: readonly One[], k: string): Omit<One, 'k'> | undefined => {
  const found = before.find((one) => one.k === k);
  if (!found) return undefined;
  const { k: _, ...rest } = found;
  return rest;
};

/** As rows keep it. */
const kept = (found: Omit<Said, 'k'>): NonNullable<ConsentRow['said']> => {
  const { crossed: _, earlier: __, ...rest } = found;
  return rest;
};

/** Whatever comes late is kept: what it was overtaken by may have been a repetition of what it contradicts. */
const isNews = (found: Omit<Said, 'k'> | undefined, { v, at }: Spoken): boolean =>
  !found || found.v !== v || found.at > at || found.crossed !== undefined;

export const createConsentRows = () => {
  const rows: ConsentRow[] = [];
  const counts = new Map<string, number>();
  const next = (request: string): number => {
    const n = counts.get(request) ?? 0;
    counts.set(request, n + 1);
    return n;
  };

  return {
    rows: (): readonly ConsentRow[] => rows,

    say(spoken: Spoken): void {
      const { request, ws, k, v, at, orphan, profile, address, counted = [] } = spoken;
      const own = profile && foundIn(profile.before, k);
      const said = address && foundIn(address.before, k);
      const changes =
        (profile && isNews(own, spoken)) ||
        (address && isNews(said, spoken)) ||
        counted.some((state) => state !== v);
      if (!changes) return;
      rows.push({
        request,
        n: next(request),
        ws,
        ...(profile && { profile: profile.id }),
        ...(address && { address: address.key }),
        k,
        to: v,
        at,
        ...(orphan && { orphan }),
        ...(own && { own }),
        ...(said && { said: kept(said) }),
      });
    },

    leave({ request, ws, profile, address, since, until }: Left): void {
      rows.push({ request, n: next(request), ws, profile, address, k: stayKind, to: null, at: until, since });
    },
  };
};
