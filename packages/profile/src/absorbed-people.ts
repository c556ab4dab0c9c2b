/** The people who were merged into a person, and when. */
import type { Contacted } from './absorbed-contacts.ts';
import type { Profile, Stamp } from './profile.ts';

/** The people who were merged into this person, and when. */
export const absorbedIn = (person: Contacted): { away: string; on: Stamp }[] => {
  const last = new Map<string, Stamp>();
  for (const { of, via, at } of person.contacts ?? [])
    if (of !== undefined && via === undefined) last.set(of, at);
  return [...last].map(([away, on]) => ({ away, on }));
};

/** When a person was merged into this one; `undefined` when the merge is forgotten. */
export const mergedAt = ({ contacts = [] }: Contacted, away: string): Stamp | undefined =>
  contacts.findLast(({ of }) => of === away)?.at;

/** Whether that merge named people by an email or phone: an earlier change of contact might have led it to other people. */
export const isMergedByContact = ({ contacts = [] }: Contacted, away: string): boolean =>
  contacts.findLast(({ of }) => of === away)?.by_contact === true;

/**
 * Who had become of a merged-away person by a stamp: the service id of the kept person, or of one who was merged into the kept person later;
 * `undefined`: the person was not merged yet, or that is too many merges ago.
 */
export const keptAt = (
  person: Pick<Profile, '_id' | 'contacts'>,
  away: string,
  at: Stamp,
): string | undefined => {
  const merge = person.contacts?.findLast(({ of }) => of === away);
  if (!merge || merge.at >= at) return undefined;
  const { via } = merge;
  return via === undefined || via === away ? person._id : (keptAt(person, via, at) ?? via);
};
