/** The budget of the entries of a batch for a profile: steps of a request, bytes, and the places of its attributes. */
import type { FoldRoom, Size } from '../fold/fold.ts';
import { type AttributePlaces, placesIn, unread } from '../fold/places.ts';
import type { Profile } from '../profile.ts';
import { newWork, type Work } from '../work.ts';
import type { AnyItem } from './item.ts';

/** Bytes that a profile may take. */
export type MostBytesOf = (ws: string) => number;

/** Without `mostBytesOf` no change can make a profile large. */
export const createRooms = (bytes: ReadonlyMap<string, number>, mostBytesOf?: MostBytesOf) => {
  const sizes = new Map<string, Size>();
  const places = new Map<string, AttributePlaces>();
  const work = new Map<string, Work>();

  const workOf = (request: string): Work => {
    const left = work.get(request) ?? newWork();
    work.set(request, left);
    return left;
  };

  /** The fold keeps the places up to date. */
  const placesOf = (profile: Profile): AttributePlaces => {
    const found = places.get(profile._id) ?? placesIn(profile);
    places.set(profile._id, found);
    return found;
  };

  const sizeOf = ({ _id, ws, custom }: Profile, most: MostBytesOf): Size =>
    sizes.get(_id) ?? { bytes: bytes.get(_id) ?? 0, most: most(ws), isWhole: !custom.includes(unread) };

  return {
    placesOf,

    of: (profile: Profile, { origin }: AnyItem): FoldRoom => ({
      work: workOf(origin.id),
      places: placesOf(profile),
      ...(mostBytesOf && { size: sizeOf(profile, mostBytesOf) }),
    }),

    resize(id: string, size: Size): void {
      sizes.set(id, size);
    },
  };
};

export type PlanRooms = ReturnType<typeof createRooms>;
