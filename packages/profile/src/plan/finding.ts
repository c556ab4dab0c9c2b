/** Finds people by service id, contact or push token, with what the entries so far have changed. */

import { createActivity } from '../find/activity.ts';
import {
  createHolders,
  formerContactKeysOf,
  type Holder,
  hadContact,
  hasContact,
  sharedKeysOf,
} from '../find/holders.ts';
import { tokenIdentity } from '../find/identifier.ts';
import { prioritized } from '../find/prioritize.ts';
import type { Drafts } from '../fold/drafts.ts';
import type { Profile, Stamp } from '../profile.ts';
import type { AnyItem } from './item.ts';
import type { Needs, PlanKnown } from './known.ts';

/** Of people who share a contact (api.md: /users/track rule 3). */
const preferences = ['identified', 'most_recently_updated'] as const;

/** Of more people, only those with the latest changes are compared: each of them takes a look at their activity. */
const contenders = 1000;

/** An entry by this contact created the person. An earlier entry that comes late would have created the same person. */
const hasOneContactOnly = ({ external_id, aliases = [], token_keys = [], contacts = [] }: Holder): boolean =>
  external_id === undefined && aliases.length + token_keys.length + contacts.length === 0;

/** Push tokens that the person has, emails and phones that the person has or had. */
const keysOf = (person: Holder): string[] =>
  person.contacts ? [...sharedKeysOf(person), ...formerContactKeysOf(person)] : sharedKeysOf(person);

export const createFinding = (known: PlanKnown, needs: Needs, drafts: Drafts) => {
  const holders = createHolders();
  for (const person of known.listed.values()) holders.add(person._id, keysOf(person));

  const personOf = (id: string): Holder | undefined => drafts.current(id) ?? known.listed.get(id);
  const { activityOf, touch } = createActivity(known.activity, needs.activity, drafts);

  /** People who had this email or phone at a stamp. */
  const holdersAt = (key: string, at: Stamp): Holder[] => {
    const [has, had] = [hasContact(key), hadContact(key, at)];
    return [...(holders.of(key) ?? [])].flatMap((id) => {
      const person = personOf(id);
      return person && (had(person) || (has(person) && hasOneContactOnly(person))) ? [person] : [];
    });
  };

  return {
    /** The person with a service id, or the person who had an email or phone when the request was accepted. */
    find({ identifier, key, origin: { ws, at } }: AnyItem): string | undefined {
      const { by } = identifier;
      if (by === 'service_id') return personOf(identifier.id)?.ws === ws ? identifier.id : undefined;
      if (by !== 'email' && by !== 'phone') return undefined;
      return prioritized(holdersAt(key, at), preferences, activityOf, { contenders })[0]?._id;
    },

    /** Listed people who have or had an email or phone. */
    holdersOf: (key: string): readonly string[] => [...(holders.of(key) ?? [])],

    /** A person who has this push token. */
    holderOf: (ws: string, token: string): string | undefined =>
      holders.of(tokenIdentity(ws, token))?.values().next().value,

    /** From now on the keys of the changed profile find the person. */
    reindex(before: Profile, after: Profile): void {
      holders.remove(before._id, sharedKeysOf(before));
      holders.add(before._id, keysOf(after));
    },

    touch,
  };
};

export type Finding = ReturnType<typeof createFinding>;
