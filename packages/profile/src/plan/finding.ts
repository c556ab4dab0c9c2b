/** Finds people by service id, contact or push token, with what the entries so far have changed. */
import type { Drafts } from '../drafts.ts';
import {
  createHolders,
  formerContactKeysOf,
  type Holder,
  hadContact,
  hasContact,
  sharedKeysOf,
} from '../holders.ts';
import { tokenIdentity } from '../identifier.ts';
import type { Profile, Stamp } from '../profile.ts';
import { type Candidate, foremost, rankCandidates } from '../rank-candidates.ts';
import type { AnyItem } from './item.ts';
import type { Known, Needs } from './known.ts';

/** Of more people, only those with the latest changes are compared: each of them takes a look at their activity. */
const mostContenders = 1000;

/** An entry by this contact created the person. An earlier entry that comes late would have created the same person. */
const hasOneContactOnly = ({ external_id, aliases = [], token_keys = [], contacts = [] }: Holder): boolean =>
  external_id === undefined && aliases.length + token_keys.length + contacts.length === 0;

/** Push tokens that the person has, emails and phones that the person has or had. */
const keysOf = (person: Holder): string[] =>
  person.contacts ? [...sharedKeysOf(person), ...formerContactKeysOf(person)] : sharedKeysOf(person);

/** People with an external id come first; of them, those with the latest changes. */
const contendersOf = (people: readonly Candidate[]): readonly Candidate[] => {
  const identified = people.filter(({ external_id }) => external_id !== undefined);
  const peers = identified.length > 0 ? identified : people;
  return peers.length > mostContenders ? rankCandidates(peers).slice(0, mostContenders) : peers;
};

export const createFinding = (known: Known, needs: Needs, drafts: Drafts) => {
  const holders = createHolders();
  const touched = new Map<string, Stamp>();
  for (const person of known.listed.values()) holders.add(person._id, keysOf(person));

  const personOf = (id: string): Holder | undefined => drafts.current(id) ?? known.listed.get(id);

  const activityOf = (id: string): Stamp => {
    const isKnown = known.activity.has(id) || drafts.isNew(id);
    if (!isKnown) needs.activity.add(id);
    return Math.max(known.activity.get(id) ?? 0, touched.get(id) ?? 0);
  };

  /** Needs the activity of people only when it decides between several. */
  const first = (ids: readonly string[]): string | undefined => {
    if (ids.length < 2) return ids[0];
    const contenders = contendersOf(ids.map(personOf).filter((one) => one !== undefined));
    if (contenders.length < 2) return contenders[0]?._id;
    return foremost(
      contenders.map(({ _id, updated_at }): Candidate => ({ _id, updated_at, active_at: activityOf(_id) })),
    )?._id;
  };

  /** People who had this email or phone at a stamp. */
  const holdersAt = (key: string, at: Stamp): string[] => {
    const [has, had] = [hasContact(key), hadContact(key, at)];
    return [...(holders.of(key) ?? [])].filter((id) => {
      const person = personOf(id);
      return person !== undefined && (had(person) || (has(person) && hasOneContactOnly(person)));
    });
  };

  return {
    /** The person with a service id, or the person who had an email or phone when the request was accepted. */
    find({ identifier, key, origin }: AnyItem): string | undefined {
      const { by } = identifier;
      if (by === 'service_id') return personOf(identifier.id)?.ws === origin.ws ? identifier.id : undefined;
      return by === 'email' || by === 'phone' ? first(holdersAt(key, origin.at)) : undefined;
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

    /** An event or purchase of the person: it counts when people who share a contact are ranked. */
    touch(id: string, at: Stamp): void {
      touched.set(id, Math.max(touched.get(id) ?? 0, at));
    },
  };
};

export type Finding = ReturnType<typeof createFinding>;
