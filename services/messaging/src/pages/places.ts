/** Places that all share: a server has so many, and one network (or one preference center) so many of them. */
import { createTally } from '@roster/contract';

interface PlacesOptions {
  most: number;
  /** The most of one `who`. */
  ofOne: number;
  now?: () => number;
}

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
    /** For so long all have been taken and none came free. */
    stuckMs: (): number => (stuckSince === undefined ? 0 : now() - stuckSince),
  };
};

export type Places = ReturnType<typeof createPlaces>;
