/** The person of an entry: found, created, or none, with the reason. */
import { keptAt, mergeOf } from '../consent/absorbed-contacts.ts';
import type { IdentityClaim } from '../find/claim.ts';
import { creates } from '../find/decide.ts';
import { type Fate, fateAt } from '../find/fate.ts';
import { identityKey } from '../find/identifier.ts';
import { knownOrNeeded } from '../find/known.ts';
import { namesOfSubject } from '../find/names.ts';
import type { Stamp } from '../profile.ts';
import { type Awaits, awaitsNothing } from './awaits.ts';
import type { AnyItem } from './item.ts';
import type { PlanKnown } from './known.ts';
import type { People } from './people.ts';

/** No stored person ever had the identifier: only a request with one of these names can create its owner. Without names, any earlier request can. */
export interface Premature {
  names?: readonly string[];
}

export type EntryPerson =
  | { is: 'found'; id: string }
  /** `premature`: found by an email, phone or token. An unfinished request may create another person with it. */
  | { is: 'created'; id: string; premature?: Premature }
  /** `away` had the identifier and was merged into the person. `part`: by an `identify`, which takes over a part only. */
  | { is: 'followed'; id: string; away: string; part?: true }
  | { is: 'ignored'; reason: 'deleted' }
  /** An earlier request that is unfinished may create the person. */
  | { is: 'ignored'; reason: 'no_such_user'; premature: Premature }
  /** A deletion of the person was accepted before and is not applied yet. */
  | { is: 'ignored'; reason: 'deletion_pending'; waits: true }
  /** Something has to be loaded first. */
  | { is: 'open' };

type Followed = Extract<EntryPerson, { is: 'followed' }>;

/** A person was found or created. */
export type FoundPerson = Extract<EntryPerson, { id: string }>;

const deleted: EntryPerson = { is: 'ignored', reason: 'deleted' };
const noneYet: Extract<EntryPerson, { reason: 'no_such_user' }> = {
  is: 'ignored',
  reason: 'no_such_user',
  premature: {},
};
const pending: EntryPerson = { is: 'ignored', reason: 'deletion_pending', waits: true };
const open: EntryPerson = { is: 'open' };

/** The kept person of a merge may have been merged away too. Such a chain has an end: the bound is for a broken one. */
const longestChain = 32;

const hadBy = (identifier: AnyItem['identifier'], to: string): string =>
  identifier.by === 'service_id' ? identifier.id : to;

const isFoundByValue = ({ identifier: { by } }: AnyItem): boolean =>
  by === 'email' || by === 'phone' || by === 'tokens';

const changesContact = ({ kind, entry: { email, phone } }: AnyItem): boolean =>
  kind === 'attributes' && (email !== undefined || phone !== undefined);

/** The fate of the owner that an identifier had when a request was accepted; `undefined`: there is none. */
const createFateOf =
  ({ fates: known }: PlanKnown, { needs }: People) =>
  (key: string, at: Stamp): Fate | 'open' | undefined => {
    const fates = knownOrNeeded(known, needs.fates, key);
    return fates ? fateAt(fates, at) : 'open';
  };

/** Follows merges from a service id to the person who is kept in the end; `free`: that person was deleted before the request was accepted. */
const createFollow = (known: PlanKnown, people: People) => {
  const fateOf = createFateOf(known, people);
  const wasDeleted = (key: string): boolean => {
    const last = known.fates.get(key)?.at(-1);
    return last !== undefined && last.to === undefined;
  };
  return (ws: string, at: Stamp, had: string): EntryPerson | 'free' => {
    let id = had;
    let part: { part?: true } = {};
    for (let step = 0; step < longestChain; step++) {
      if (!people.isAbsent(id)) {
        if (!people.current(id)) return open;
        return id === had ? { is: 'found', id } : { is: 'followed', id, away: had, ...part };
      }
      const key = identityKey(ws, { by: 'service_id', id });
      const fate = fateOf(key, at);
      if (fate === 'open') return open;
      if (!fate && wasDeleted(key)) return 'free';
      if (fate?.to === undefined) return deleted;
      id = fate.to;
      if (fate.part) part = { part: true };
    }
    return deleted;
  };
};

/** Whether the entry creates a person when it finds none. */
const mayCreate = ({ identifier, kind, entry }: AnyItem): boolean =>
  creates[identifier.by](kind, entry._update_existing_only);

/**
 * The stamp at which a late change of contact counts. It counts after the merge if the merge found its people by contacts, or if the entry
 * names the person by service id, which still leads to the person. The rest of its request counts at the same stamp.
 */
const createAfterMerge = (people: People) => {
  const later = new Set<string>();

  /** The service id that the person had become by then; `undefined`: the entry counts as one from before the merge. */
  return (item: AnyItem, { id, away }: Followed): string | undefined => {
    const { origin, key } = item;
    const place = `${origin.id} ${key}`;
    const person = changesContact(item) || later.has(place) ? people.current(id) : undefined;
    // An earlier change of contact might have led a merge by contacts to other people.
    if (!person || !(item.identifier.by === 'service_id' || mergeOf(person, away)?.by_contact))
      return undefined;
    const kept = keptAt(person, away, origin.at);
    if (kept !== undefined) later.add(place);
    return kept;
  };
};

/** A new person for an entry without one, if it may create them. */
const createOrNone =
  (people: People) =>
  (item: AnyItem, premature: Premature = {}): EntryPerson => {
    if (!mayCreate(item)) return { ...noneYet, premature };
    return { is: 'created', id: people.create(item), ...(isFoundByValue(item) && { premature }) };
  };

/** Finds or creates the person of an entry. Requests from before a deletion or a merge follow the fates of the identifier. */
const createSearch = (known: PlanKnown, people: People) => {
  const fateOf = createFateOf(known, people);
  const follow = createFollow(known, people);
  const keptThen = createAfterMerge(people);
  const createdOrNone = createOrNone(people);

  /** After the merge a service id leads to the kept person, another identifier to its next owner. */
  const afterMerge = (item: AnyItem, fate: Fate, followed: Followed, kept: string): EntryPerson => {
    if (item.identifier.by !== 'service_id') return search(item, fate.at + 1);
    if (followed.part) return noneYet;
    return kept === followed.id ? { is: 'found', id: kept } : { is: 'followed', id: followed.id, away: kept };
  };

  /** The person after a fate. `afresh` searches again: that person was deleted before the request was accepted. */
  const ended = (item: AnyItem, fate: Fate, afresh: () => EntryPerson): EntryPerson => {
    const { to } = fate;
    if (to === undefined) return deleted;
    const { identifier, origin } = item;
    const followed = follow(origin.ws, origin.at, hadBy(identifier, to));
    if (followed === 'free') return afresh();
    if (followed.is !== 'followed') return followed;
    const kept = keptThen(item, followed);
    if (kept !== undefined) return afterMerge(item, fate, followed, kept);
    return followed.part && item.kind !== 'attributes' ? deleted : followed;
  };

  /**
   * Whether the entry may be about the owner of a claim. Without an earlier owner, a request in time would have created the person, so the
   * claim is extended back to it.
   */
  const reaches = (item: AnyItem, claim: IdentityClaim): boolean => {
    if (claim.at <= item.origin.at) return true;
    if (!mayCreate(item)) return false;
    people.reachBack(item, claim);
    return true;
  };

  /** The claim was made or moved after the request was accepted, so the fate tells the owner at that time. */
  const claimed = (item: AnyItem, claim: IdentityClaim, fate: Fate | undefined): EntryPerson => {
    const byClaim = (): EntryPerson => (reaches(item, claim) ? { is: 'found', id: claim.profile } : noneYet);
    if (!fate) return byClaim();
    const found = ended(item, fate, byClaim);
    // The claim is extended only if the entry has a person. A request that is too late must not get a claim.
    return 'id' in found && fate.at > claim.at && !reaches(item, claim) ? noneYet : found;
  };

  /** `at`: the stamp of the request, or of the merge that it counts after. */
  const search = (item: AnyItem, at: Stamp): EntryPerson => {
    const { key } = item;
    const claim = people.claimOf(item);
    if (claim && Math.max(claim.at, claim.moved ?? 0) <= at) return { is: 'found', id: claim.profile };
    const sought = claim ? undefined : people.find(item);
    if (sought !== undefined) return { is: 'found', id: sought };
    const fate = fateOf(key, at);
    if (fate === 'open') return open;
    if (claim) return claimed(item, claim, fate);
    if (fate) return ended(item, fate, () => createdOrNone(item));
    const kept = known.merged.get(key);
    if (kept !== undefined) return { is: 'found', id: kept };
    const names = namesOfSubject(item.identifier);
    return createdOrNone(item, names && { names });
  };

  return (item: AnyItem): EntryPerson => search(item, item.origin.at);
};

export const createFindPerson = (known: PlanKnown, people: People, awaits: Awaits = awaitsNothing) => {
  const search = createSearch(known, people);

  return (item: AnyItem): EntryPerson => {
    const found = search(item);
    if (found.is === 'open') return found;
    const isAwaited = awaits(item, 'id' in found ? [found.id] : []);
    if (isAwaited === 'open') return open;
    return isAwaited ? pending : found;
  };
};
