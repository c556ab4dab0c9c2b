/** What strangers may take of the pages, and how it is kept. */
import { createTally } from '@roster/contract';

/** Of the server. */
export const usualBounds = {
  /** Of one IP; those of a trusted proxy are of many people, and only count together. */
  connections: { most: 2_000, ofOne: 128 },
  /** Forms on their way. */
  receiving: { most: 1_000, ofOne: 32 },
  /** Large calls of providers of text messages, until all they tell is written: each has up to 3 MB. Of one address. */
  calls: { most: 8, ofOne: 2 },
  /** Pages that are made. */
  working: { most: 64, ofOne: 32 },
  /** Templates that are rendered, of one workspace. */
  rendering: { most: 64, ofOne: 16 },
  /** From the first byte of a request, or from the connection, to the end of the headers. */
  headersWithinMs: 5_000,
  /** From there to the last byte of the form. */
  bodyWithinMs: 5_000,
  pageWithinMs: 10_000,
  /** From the headers to the last byte that the visitor takes of the reply. */
  exchangeWithinMs: 30_000,
  /** When every connection, or every page at once, is taken for so long and none ends, the pages are not ready. */
  stuckAfterMs: 15_000,
};

export type PageBounds = typeof usualBounds;

/** Of a call at an address that Roster has signed: WhatsApp tells up to 1,000 things at once, in up to 3 MB. */
export const mostCallBytes = 3 * 1024 * 1024;
export const mostToldAtOnce = 1_000;

/** An unsubscribe link is posted to once, or a few times when a mail service repeats itself. */
export const perLinkAndMinute = 10;

/** Pages of one preference center: those of a large mailing are fewer. */
export const perCenterAndMinute = 1_200;

interface MinuteLimitOptions {
  perMinute: number;
  /** So many are counted apart in a minute; all others share one count. */
  mostKeys?: number;
  now?: () => number;
}

/** Together they get as much as so many. */
const othersShare = 50;

/** How often one network, one link or one preference center may be used in a minute of the clock, in this process. The memory for it has a bound. */
export const createMinuteLimit = ({ perMinute, mostKeys = 50_000, now = Date.now }: MinuteLimitOptions) => {
  let minute = 0;
  let counts = new Map<string, number>();
  let others = 0;

  return (key: string): boolean => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) [minute, counts, others] = [current, new Map(), 0];
    const count = counts.get(key);
    if (count === undefined && counts.size >= mostKeys) return ++others <= perMinute * othersShare;
    counts.set(key, (count ?? 0) + 1);
    return (count ?? 0) < perMinute;
  };
};

export type MinuteLimit = ReturnType<typeof createMinuteLimit>;

interface PlacesOptions {
  most: number;
  /** The most of one `who`. */
  ofOne: number;
  now?: () => number;
}

/** Places that all share: a server has so many, and one network (or one preference center) so many of them. */
export const createPlaces = ({ most, ofOne, now = Date.now }: PlacesOptions) => {
  const counts = createTally();
  let taken = 0;
  let stuckSince: number | undefined;

  const leave = (who: string | undefined): void => {
    taken -= 1;
    stuckSince = undefined;
    if (who !== undefined) counts.add(who, -1);
  };

  return {
    /** Leaves the place again; a second call does nothing. `undefined`: none is free. Without `who` only the number of all counts. */
    take(who?: string): (() => void) | undefined {
      if (taken >= most) return undefined;
      if (who !== undefined && counts.of(who) >= ofOne) return undefined;
      taken += 1;
      if (taken === most) stuckSince = now();
      if (who !== undefined) counts.add(who, 1);
      let isIn = true;
      return () => {
        if (isIn) leave(who);
        isIn = false;
      };
    },
    /** All are taken, and `who` may have one more. */
    isFullFor: (who?: string): boolean => taken >= most && (who === undefined || counts.of(who) < ofOne),
    /** For so long all have been taken and none came free. */
    stuckMs: (): number => (stuckSince === undefined ? 0 : now() - stuckSince),
  };
};

export type Places = ReturnType<typeof createPlaces>;

/** Those in a place who only wait for what their peer sends next. Each ends when a newcomer needs the place. */
export const createWaiting = () => {
  const all = new Map<string, Set<() => void>>();
  return {
    /** Returns how it ends to wait. */
    add(who: string, end: () => void): () => void {
      const ends = all.get(who) ?? new Set();
      all.set(who, ends.add(end));
      return () => {
        if (ends.delete(end) && ends.size === 0) all.delete(who);
      };
    },
    /** Of the one who has the most, the one that has waited longest. */
    endOne(): boolean {
      const none = new Set<() => void>();
      const most = [...all.values()].reduce((one, other) => (other.size > one.size ? other : one), none);
      const [end] = most;
      end?.();
      return end !== undefined;
    },
  };
};

export type Waiting = ReturnType<typeof createWaiting>;

/** A stranger who opens places and sends nothing must not keep others out. */
export const takeFrom = (places: Places, waiting: Waiting, who?: string): (() => void) | undefined =>
  places.take(who) ?? (places.isFullFor(who) && waiting.endOne() ? places.take(who) : undefined);
