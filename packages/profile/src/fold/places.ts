/** The places of the custom attributes of a profile. Of a large profile only the attributes that a batch names are read. */
import type { CustomAttribute, Profile } from '../profile.ts';

/** By name. */
export type AttributePlaces = Map<string, number>;

/** Stands in for an attribute that was not read. No name has a NUL, so no lookup finds it; it must never be written. */
export const unread: CustomAttribute = Object.freeze({ k: '\0', v: null, at: 0 });

export const placesIn = ({ custom }: Profile): AttributePlaces => {
  const places: AttributePlaces = new Map();
  for (let place = 0; place < custom.length; place++) {
    const one = custom[place];
    if (one && one !== unread) places.set(one.k, place);
  }
  return places;
};

/** The same person with these attributes only: their changes do not depend on the others. */
export const withOnly = (profile: Profile, names: ReadonlySet<string>, places: AttributePlaces): Profile => ({
  ...profile,
  custom: [...names].flatMap((name) => profile.custom[places.get(name) ?? -1] ?? []),
});

/** `part` with all the attributes of the whole person; new ones come last. */
export const withRest = (part: Profile, whole: Profile, places: AttributePlaces): Profile => {
  const custom = [...whole.custom];
  for (const one of part.custom) {
    const place = places.get(one.k) ?? custom.length;
    custom[place] = one;
    places.set(one.k, place);
  }
  return { ...part, custom };
};
