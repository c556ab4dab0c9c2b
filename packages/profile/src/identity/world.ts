/** Everybody a batch is about: as they were loaded, with what the entries so far have made of them. */
import type { ConsentChange } from '../consent-history.ts';
import type { ContactConsents } from '../consent-states.ts';
import { contactKeysOf } from '../contact-log.ts';
import { fateAt } from '../fate.ts';
import { identityKey } from '../identifier.ts';
import type { LeftBehind } from '../merge/left-behind.ts';
import type { ReadTime } from '../merge/values.ts';
import { createContacts } from '../plan/contacts.ts';
import { addressKeysOf, hadAddress, hasAddress } from '../plan/known.ts';
import { createMoving } from '../plan/moving.ts';
import type { Changed } from '../plan/people.ts';
import type { Profile, Stamp } from '../profile.ts';
import { type Buried, createClaims } from './claims.ts';
import { fatesBefore, type IdentityKnown, noIdentityNeeds, type Sharer } from './known.ts';
import { mostContenders, type Preference, prioritized } from './prioritize.ts';
import type { Named } from './request.ts';

export interface Origin {
  id: string;
  ws: string;
  at: Stamp;
}

export type Reason =
  | 'no_such_user'
  | 'more_than_one_match'
  | 'same_user'
  | 'merged'
  | 'already_identified'
  | 'label_taken'
  | 'name_taken'
  | 'id_taken'
  | 'same_id'
  | 'not_primary'
  | 'primary'
  | 'deleted'
  | 'profile_full'
  | 'too_many_aliases'
  | 'too_many_ids'
  | 'too_much_to_load';

/** Somebody, or why nobody, or: that can't be told yet. */
export type Found = { id: string } | { reason: Reason } | 'unknown';

/** What has to be removed when nobody can see it any more. */
export interface Sweep {
  ws: string;
  /** Service ids under which events and purchases were stored. */
  profiles: string[];
  /** Identity keys that meant this person and nobody else. */
  keys: string[];
  /** Those of emails and phones that they had before. */
  former: string[];
  /** What was said of their contacts later is somebody else's. */
  at: Stamp;
  /** Requests up to this stamp are about this person; all up to now without it. */
  until?: Stamp;
  /** All changes of their consent; empty when nothing has to be proved. */
  history: readonly ConsentChange[];
}

interface Draft {
  /** `undefined`: gone. */
  profile: Profile | undefined;
  isNew: boolean;
}

const merged: Found = { reason: 'merged' };
const mostForeseen = 50;

const nobody: Found = { reason: 'no_such_user' };
const tooMany: Found = { reason: 'more_than_one_match' };
const noRoom: Found = { reason: 'too_much_to_load' };

export const createWorld = (
  known: IdentityKnown,
  now: Stamp,
  mostBytesOf: (ws: string) => number,
  time: ReadTime,
) => {
  const needs = noIdentityNeeds();
  const claims = createClaims(known.claims, now);
  const drafts = new Map<string, Draft>();
  const parts = new Map<string, string[]>();
  const mergedInto = new Map<string, string>();
  /** By `identify` without a merge. */
  const identifiedAs = new Map<string, string>();
  /** Of those who were deleted, by service id: up to which stamp requests about them are too late, and all their service ids. */
  const erased = new Map<string, { until: Stamp; of: string[] }>();
  const sweeps: Sweep[] = [];
  const lost: LeftBehind[] = [];
  /** Who was changed in this batch and had an address after it. */
  const newcomers = new Map<string, Set<string>>();
  const contacts = createContacts(known.said, needs.said);
  const settled = createMoving(contacts);

  const person = (id: string): Profile | undefined => {
    const draft = drafts.get(id);
    if (draft) return draft.profile;
    if (!known.profiles.has(id) && !known.unloaded.has(id)) needs.profiles.add(id);
    return known.profiles.get(id);
  };
  const isLoaded = (id: string): boolean => drafts.has(id) || known.profiles.has(id);
  const isUnloaded = (id: string): boolean => !isLoaded(id) && known.unloaded.has(id);

  const put = (profile: Profile, isNew = drafts.get(profile._id)?.isNew ?? false): void => {
    drafts.set(profile._id, { profile, isNew });
    for (const key of addressKeysOf(profile)) {
      const ids = newcomers.get(key) ?? new Set();
      newcomers.set(key, ids.add(profile._id));
    }
  };

  /** Those who have it or had it; `undefined` when they have not been looked up. */
  const everybodyWith = (key: string): (Sharer | Profile)[] | undefined => {
    const listed = known.sharers.get(key);
    if (!listed) {
      needs.sharers.add(key);
      return undefined;
    }
    const people: (Sharer | Profile)[] = [];
    const drafted = new Set(newcomers.get(key));
    for (const one of listed) {
      if (drafts.has(one._id)) drafted.add(one._id);
      else people.push(one);
    }
    for (const id of drafted) {
      const draft = drafts.get(id)?.profile;
      if (draft) people.push(draft);
    }
    return people;
  };

  const activityOf = (id: string): Stamp => {
    const all = [id, ...(parts.get(id) ?? [])].filter((part) => !drafts.get(part)?.isNew);
    for (const part of all) if (!known.activity.has(part)) needs.activity.add(part);
    return all.reduce((last, part) => Math.max(last, known.activity.get(part) ?? 0), 0);
  };

  /** The entries after this one may be about those who come next: to ask for one at a time would take as many rounds as there are entries. */
  const foresee = (
    sharers: readonly (Sharer | Profile)[],
    preferences: readonly Preference[],
    first: Sharer | Profile,
  ): void => {
    if (sharers.length < 2 || isLoaded(first._id)) return;
    for (const { _id } of prioritized(sharers, preferences, activityOf, mostForeseen)) person(_id);
  };

  /**
   * Meant are those who had the contact when the request was accepted, and have it still: whoever left it since did so in a request
   * that was sent at the same moment, and comes before this one.
   */
  const choose = ({ at }: Origin, key: string, { prioritization = [] }: Named): Found => {
    const [has, had] = [hasAddress(key), hadAddress(key, at)];
    const sharers = everybodyWith(key)?.filter((one) => has(one) && had(one));
    if (!sharers) return 'unknown';
    const asking = needs.activity.size;
    const [first, ...more] = prioritized(sharers, prioritization, activityOf);
    if (needs.activity.size > asking) {
      // Of more, those behind them move up when some have gone.
      if (sharers.length > mostContenders) for (const { _id } of sharers) activityOf(_id);
      return 'unknown';
    }
    if (!first) return nobody;
    if (more.length > 0) return tooMany;
    foresee(sharers, prioritization, first);
    return { id: first._id };
  };

  /**
   * An older request that comes late must not find those who came to have the identifier later, and must not bring back who was
   * deleted. It does not follow a merge either: after that one there was nobody by this identifier. A claim that moved with its people
   * is found all along.
   */
  const byClaim = (origin: Origin, key: string): Found => {
    const owner = claims.ownerOf(key);
    const isYounger = owner !== undefined && claims.givenAt(key) > origin.at;
    const fates = fatesBefore(known.fates.get(key) ?? [], known.claims.get(key));
    const fate = owner === undefined || isYounger ? fateAt(fates, origin.at) : undefined;
    if (fate) return fate.to === undefined ? { reason: 'deleted' } : nobody;
    if (owner === undefined) return nobody;
    return person(owner) || isUnloaded(owner) ? { id: owner } : 'unknown';
  };

  const final = (id: string): string => {
    const nextOf = (one: string): string | undefined => mergedInto.get(one) ?? identifiedAs.get(one);
    let last = id;
    for (let next = nextOf(id); next !== undefined; next = nextOf(next)) last = next;
    return last;
  };

  const isRemoved = (id: string): boolean => drafts.has(id) && !drafts.get(id)?.profile;

  /** Whether the profile was merged away, before or in this batch, and the kept one is still there. */
  const isMerged = ({ ws }: Origin, id: string): boolean => {
    const kept = known.merged.get(identityKey(ws, { by: 'service_id', id })) ?? mergedInto.get(id);
    return kept !== undefined && !isRemoved(final(kept));
  };

  const byServiceId = (origin: Origin, id: string): Found => {
    const found = person(id);
    if (isUnloaded(id)) return noRoom;
    if (!isLoaded(id)) return 'unknown';
    if (found?.ws === origin.ws) return { id };
    return isMerged(origin, id) ? merged : nobody;
  };

  /** Service ids lead straight to the end of a chain that was made in this batch; identifiers to whoever had them. */
  const shortened = (buried: Buried): Buried => {
    const { to, ...rest } = buried;
    const end = to === undefined ? undefined : final(to);
    if (to === undefined || end === undefined) return rest;
    if (isRemoved(end)) return { ...rest, ...erased.get(end) };
    return { ...rest, to: rest.forGood ? end : to };
  };

  const findBy = (origin: Origin, named: Named): Found => {
    const { who } = named;
    if (who.by === 'service_id') return byServiceId(origin, who.id);
    const key = identityKey(origin.ws, who);
    if (who.by === 'email' || who.by === 'phone') return choose(origin, key, named);
    return byClaim(origin, key);
  };

  return {
    needs,
    claims,
    person,
    put,

    /** Whether nobody else had an email or phone at a stamp; `undefined` when that is not known yet. */
    isOnlyOwner({ _id }: Profile, key: string, at: Stamp): boolean | undefined {
      const had = hadAddress(key, at);
      return everybodyWith(key)?.every((one) => one._id === _id || !had(one));
    },

    mostBytesOf,
    time,

    /** What an entry leaves behind. */
    leave(all: readonly LeftBehind[]): void {
      for (const one of all) lost.push(one);
    },

    /** What was left behind since it was last asked. */
    takeLost: (): LeftBehind[] => lost.splice(0),

    find(origin: Origin, named: Named): Found {
      const found = findBy(origin, named);
      return typeof found === 'object' && 'id' in found && isUnloaded(found.id) ? noRoom : found;
    },

    /** Whether all of a person is known; if there is room for it, it is asked for. */
    hasWhole(id: string): boolean | 'no_room' {
      if (known.whole.has(id) || drafts.get(id)?.isNew) return true;
      if (known.unloaded.has(id)) return 'no_room';
      needs.whole.add(id);
      return false;
    },

    /** What was said of the contacts that somebody has or had; `undefined` when that is not known yet. */
    contactsOf(...people: Profile[]): ContactConsents | undefined {
      const keys = people.flatMap(contactKeysOf);
      const asking = needs.said.size;
      for (const key of keys) contacts.get(key);
      return needs.said.size > asking ? undefined : contacts;
    },

    create: (profile: Profile): void => put(profile, true),

    /** Nobody finds them any more; `into` has all that is left of them. */
    remove({ _id }: Profile, into: string): void {
      drafts.set(_id, { profile: undefined, isNew: drafts.get(_id)?.isNew ?? false });
      mergedInto.set(_id, into);
    },

    /** Nobody finds them any more; `as` has what is taken over of them. */
    identifyAs({ _id }: Profile, as: string): void {
      drafts.set(_id, { profile: undefined, isNew: drafts.get(_id)?.isNew ?? false });
      identifiedAs.set(_id, as);
    },

    /** Deleted: nobody finds them, and requests up to this stamp are too late. */
    erase({ _id }: Profile, until: Stamp, of: string[]): void {
      drafts.set(_id, { profile: undefined, isNew: drafts.get(_id)?.isNew ?? false });
      erased.set(_id, { until, of });
    },

    /** What one did counts as done by the other. */
    joinActivity(away: string, into: string): void {
      parts.set(into, [...(parts.get(into) ?? []), away, ...(parts.get(away) ?? [])]);
    },

    /** What somebody said after they came to a contact is said of it, in whichever order that becomes known. */
    settled,

    /** Somebody is merged away: perhaps nobody has their contacts any more. */
    leaveContacts(profile: Profile): void {
      for (const key of addressKeysOf(profile)) contacts.leave(profile.ws, key);
    },

    eraseContact: contacts.erase,

    sweep(sweep: Sweep): void {
      sweeps.push(sweep);
    },

    /** In one order everywhere, so that two batches don't wait for each other crosswise. */
    writes() {
      const all = [...drafts].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const alive = all.flatMap(([, { profile, isNew }]) => (profile ? [{ profile, isNew }] : []));
      const beforeOf = (after: Profile): Changed[] => {
        const before = known.profiles.get(after._id);
        return before ? [{ before, after }] : [];
      };
      return {
        created: alive.filter(({ isNew }) => isNew).map(({ profile }) => profile),
        changed: alive.flatMap(({ profile, isNew }) => (isNew ? [] : beforeOf(profile))),
        removed: all.filter(([, { profile, isNew }]) => !profile && !isNew).map(([id]) => id),
        claims: claims.writes(),
        buried: claims.buried().map(shortened),
        sweeps,
        contacts: contacts.writes(),
      };
    },
  };
};

export type World = ReturnType<typeof createWorld>;
