/** Places that all share: a server has so many, and one network (or one preference center) so many of them. */

export interface PlacesOptions {
  most: number;
  /** The most of one `who`. */
  ofOne: number;
  now?: () => number;
}

export interface Places {
  /** Leaves the place again; a second call does nothing. `undefined`: none is free. Without `who` only the number of all counts. */
  take(who?: string): (() => void) | undefined;
  /** For so long all have been taken and none came free. */
  stuckMs(): number;
}

export const createPlaces = ({ most, ofOne, now = Date.now }: PlacesOptions): Places => {
  const counts = new Map<string, number>();
  let taken = 0;
  let stuckSince: number | undefined;

  const count = (who: string, change: 1 | -1): void => {
    const next = (counts.get(who) ?? 0) + change;
    if (next === 0) counts.delete(who);
    else counts.set(who, next);
  };

  const leave = (who: string | undefined): void => {
    taken -= 1;
    stuckSince = undefined;
    if (who !== undefined) count(who, -1);
  };

  return {
    take(who) {
      if (taken >= most) return undefined;
      if (who !== undefined && (counts.get(who) ?? 0) >= ofOne) return undefined;
      taken += 1;
      if (taken === most) stuckSince = now();
      if (who !== undefined) count(who, 1);
      let isIn = true;
      return () => {
        if (isIn) leave(who);
        isIn = false;
      };
    },
    stuckMs: () => (stuckSince === undefined ? 0 : now() - stuckSince),
  };
};
