/** Everybody a batch is about: as they were loaded, with what the entries so far have made of them. */
import type { Change } from '../change.ts';
import { type Statement, withStatements } from '../consent.ts';
import type { Fold, Folded, Room, Size } from '../fold.ts';
import { mergeProfiles } from '../merge/merge-profiles.ts';
import { isAbout, keepOrigins, markOrigins } from '../merge/origins.ts';
import type { ReadTime } from '../merge/values.ts';
import { type Places, placesIn, unread, withOnly, withRest } from '../places.ts';
import { newProfile, type Profile, type Stamp } from '../profile.ts';
import { type Candidate, foremost, rankCandidates } from '../rank-candidates.ts';
import { serviceIdOf } from '../service-id.ts';
import { newWork, type Work } from '../work.ts';
import { createContacts } from './contacts.ts';
import { type Item, type Subject, type TrackEntry, tokenIdentity } from './item.ts';
import {
  type Claim,
  formerKeysOf,
  hadAddress,
  hasAddress,
  type Known,
  type Listed,
  noNeeds,
  sharedKeysOf,
} from './known.ts';
import { withLateContacts } from './late-contacts.ts';
import { createMoving } from './moving.ts';

/** Somebody can now be found by this. */
export interface Identity extends Claim {
  key: string;
}

/** Beyond that, those who were changed longest ago are out of the running: each takes a look at what they did last. */
const mostContenders = 1000;

/** So few are looked through. */
const fewAttributes = 16;

type Draft = { profile: Profile; isNew: boolean };

/** Somebody as they were loaded, and as they are to be. */
export interface Changed {
  before: Profile;
  after: Profile;
}

type AnyItem = Item<TrackEntry>;

/** A new person's email or phone is a field like any other. */
const ownField = (subject: Subject): Change[] => {
  if (subject.by === 'email') return [{ kind: 'field', name: 'email', value: subject.email }];
  if (subject.by === 'phone') return [{ kind: 'field', name: 'phone', value: subject.phone }];
  return [];
};

const named = (profile: Profile, subject: Subject): Profile => {
  if (subject.by === 'external_id') return { ...profile, external_id: subject.id };
  if (subject.by === 'user_alias') {
    return { ...profile, aliases: [{ label: subject.label, name: subject.name }] };
  }
  return profile;
};

const isClaimed = ({ by }: Subject): boolean => by === 'external_id' || by === 'user_alias';

/** What two who create the same person at once collide by, apart from a claim. */
const lockKeys = ({ identifier, key, origin }: AnyItem): string[] =>
  identifier.by === 'tokens' ? identifier.keys.map((token) => tokenIdentity(origin.ws, token)) : [key];

/** Only attributes have names of their own; all else is merged anyway. */
const namesIn = (changes: readonly Change[]): Set<string> =>
  new Set(
    changes.flatMap((change) => (change.kind === 'set' || change.kind === 'step' ? [change.name] : [])),
  );

/** What was merged in is nobody's profile. */
const withoutItself = ({ absorbed = [], ...profile }: Profile): Profile => {
  const others = absorbed.filter((id) => id !== profile._id);
  return others.length > 0 ? { ...profile, absorbed: others } : profile;
};

/** Known by nothing but a contact, so made by an entry by it: an earlier entry that comes late would have made the same person. */
const hasOneContactOnly = ({ external_id, aliases = [], token_keys = [], contacts = [] }: Listed): boolean =>
  external_id === undefined && aliases.length + token_keys.length + contacts.length === 0;

/** Tokens that the person has; emails and phones that they have or had. */
const foundBy = (person: Listed): string[] =>
  person.contacts ? [...sharedKeysOf(person), ...formerKeysOf(person)] : sharedKeysOf(person);

/** How many bytes a profile may take; missing where nothing is changed that could make it large. */
export type MostBytesOf = (ws: string) => number;

/** Statements of consent have no dates. */
const noDates: ReadTime = () => undefined;

export const createPeople = (
  known: Known,
  fold: Fold,
  mostBytesOf?: MostBytesOf,
  time: ReadTime = noDates,
) => {
  const needs = noNeeds();
  const drafts = new Map<string, Draft>();
  const claims = new Map<string, Identity>();
  const reached = new Map<string, Identity>();
  const locks = new Map<string, Identity>();
  const touched = new Map<string, Stamp>();
  const sizes = new Map<string, Size>();
  const places = new Map<string, Places>();
  const work = new Map<string, Work>();
  const sharers = new Map<string, Set<string>>();
  const contacts = createContacts(known.contacts, needs.contacts);
  const settled = createMoving(contacts);

  const list = (key: string, id: string): void => {
    const ids = sharers.get(key);
    if (ids) ids.add(id);
    else sharers.set(key, new Set([id]));
  };
  for (const person of known.listed.values()) for (const key of foundBy(person)) list(key, person._id);

  const current = (id: string): Profile | undefined => drafts.get(id)?.profile ?? known.profiles.get(id);

  const save = (before: Profile, draft: Draft): void => {
    for (const key of sharedKeysOf(before)) sharers.get(key)?.delete(before._id);
    for (const key of foundBy(draft.profile)) list(key, before._id);
    drafts.set(before._id, draft);
  };

  const activityOf = (id: string): Stamp => {
    const isKnown = known.activity.has(id) || drafts.get(id)?.isNew;
    if (!isKnown) needs.activity.add(id);
    return Math.max(known.activity.get(id) ?? 0, touched.get(id) ?? 0);
  };

  /** Asks for activity only when it decides between several. */
  const first = (ids: readonly string[]): string | undefined => {
    if (ids.length < 2) return ids[0];
    const all = ids
      .map((id): Candidate | undefined => current(id) ?? known.listed.get(id))
      .filter((one) => one !== undefined);
    const identified = all.filter(({ external_id }) => external_id !== undefined);
    const peers = identified.length > 0 ? identified : all;
    const contenders = peers.length > mostContenders ? rankCandidates(peers).slice(0, mostContenders) : peers;
    if (contenders.length < 2) return contenders[0]?._id;
    return foremost(
      contenders.map(({ _id, updated_at }): Candidate => ({ _id, updated_at, active_at: activityOf(_id) })),
    )?._id;
  };

  /** Those who had this email or phone at a stamp. */
  const holdersAt = (key: string, at: Stamp): string[] => {
    const [has, had] = [hasAddress(key), hadAddress(key, at)];
    return [...(sharers.get(key) ?? [])].filter((id) => {
      const person = current(id) ?? known.listed.get(id);
      return person !== undefined && (had(person) || (has(person) && hasOneContactOnly(person)));
    });
  };

  const byServiceId = (ws: string, id: string): string | undefined =>
    (current(id) ?? known.listed.get(id))?.ws === ws ? id : undefined;

  const workOf = (request: string): Work => {
    const left = work.get(request) ?? newWork();
    work.set(request, left);
    return left;
  };

  /** Looking one of many attributes up by its name takes longer than all else. */
  const placesOf = (profile: Profile): Places => {
    const found = places.get(profile._id) ?? placesIn(profile);
    places.set(profile._id, found);
    return found;
  };

  const sizeOf = ({ _id, ws, custom }: Profile, most: MostBytesOf): Size =>
    sizes.get(_id) ?? { bytes: known.bytes.get(_id) ?? 0, most: most(ws), isWhole: !custom.includes(unread) };

  const roomOf = (profile: Profile, { origin }: AnyItem): Room => {
    // Once they are known they have to be kept up to date.
    const isPlaced = profile.custom.length > fewAttributes || places.has(profile._id);
    return {
      work: workOf(origin.id),
      ...(isPlaced && { places: placesOf(profile) }),
      ...(mostBytesOf && { size: sizeOf(profile, mostBytesOf) }),
    };
  };

  const write = (before: Profile, changes: readonly Change[], item: AnyItem, isNew: boolean): Folded => {
    const folded = fold(before, changes, item.origin.at, item.position, roomOf(before, item));
    if (folded.isFull) return folded;
    if (folded.size) sizes.set(before._id, folded.size);
    const after = settled(before, folded.profile, item.origin);
    save(before, { profile: after, isNew });
    return { profile: after, notes: folded.notes };
  };

  /** For a request from before a merge: its changes count as those of whoever was merged away. */
  const merge = (before: Profile, changes: readonly Change[], item: AnyItem, away: string): Folded => {
    const { at } = item.origin;
    const wherever = placesOf(before);
    const part = withOnly(before, namesIn(changes), wherever);
    const { work, size } = roomOf(before, item);
    const isTheirs = isAbout(part, away);
    // Only a part is at hand, so nothing could be counted again.
    const room: Room = {
      ...(work && { work }),
      ...(size && { size: { ...size, isWhole: false, isEstimate: false } }),
    };
    const theirs = fold(part, changes.filter(isTheirs), at, item.position, room);
    const kept = keepOrigins(part, theirs.profile);
    const rest = changes.filter((change) => !isTheirs(change));
    const nobody = newProfile(before._id, before.ws, at);
    const other = fold(nobody, rest, at, item.position, {
      ...room,
      ...(theirs.size && { size: theirs.size }),
    });
    if (other.size) sizes.set(before._id, { ...other.size, isEstimate: false });
    const joined = markOrigins(away, kept, withoutItself(mergeProfiles(kept, other.profile, time)));
    const logged = withLateContacts(before, joined, changes, { away, at });
    const after = settled(before, withRest(logged, before, wherever), item.origin);
    save(before, { profile: after, isNew: drafts.get(before._id)?.isNew ?? false });
    return { profile: after, notes: [...theirs.notes, ...other.notes] };
  };

  return {
    needs,
    contacts,

    /** Whom an external id or alias leads to. */
    claimOf: ({ identifier, key }: AnyItem): Claim | undefined =>
      isClaimed(identifier) ? (reached.get(key) ?? known.claims.get(key) ?? claims.get(key)) : undefined,

    /** Whom a service id leads to, or an email or phone led to when the request was accepted. */
    find({ identifier, key, origin }: AnyItem): string | undefined {
      if (identifier.by === 'service_id') return byServiceId(origin.ws, identifier.id);
      const isShared = identifier.by === 'email' || identifier.by === 'phone';
      return isShared ? first(holdersAt(key, origin.at)) : undefined;
    },

    /** It would have created them, had it come in time: since then the identifier leads to them. */
    reachBack({ key, origin }: AnyItem, claim: Claim): void {
      reached.set(key, { ...claim, key, at: origin.at });
    },

    /** Those among the listed people who have an email or phone. */
    holdersOf: (key: string): readonly string[] => [...(sharers.get(key) ?? [])],

    /** Somebody who has this push token. */
    holderOf: (ws: string, token: string): string | undefined =>
      sharers.get(tokenIdentity(ws, token))?.values().next().value,

    create(item: AnyItem): string {
      const { identifier, key, origin, position } = item;
      const { id, ws, at } = origin;
      const profile = newProfile(serviceIdOf(at, position, id), ws, at);
      if (isClaimed(identifier)) claims.set(key, { key, profile: profile._id, at });
      else for (const lock of lockKeys(item)) locks.set(lock, { key: lock, profile: profile._id, at });
      write(named(profile, identifier), ownField(identifier), item, true);
      return profile._id;
    },

    /** The person as they are now; when that is not known, it is asked for. */
    current(id: string): Profile | undefined {
      const profile = current(id);
      if (profile) return profile;
      if (known.unloaded.has(id)) return undefined;
      if (known.absent.has(id)) throw new Error(`an identity leads to profile ${id}, which does not exist`);
      needs.profiles.add(id);
      return undefined;
    },

    /** They are there, and the request has no room for them. */
    isUnloaded: (id: string): boolean => known.unloaded.has(id),

    change: (before: Profile, changes: readonly Change[], item: AnyItem): Folded =>
      write(before, changes, item, drafts.get(before._id)?.isNew ?? false),

    merge,

    /** Said of somebody who was merged into them. */
    add(before: Profile, statements: readonly Statement[]): void {
      const profile = { ...before, consents: withStatements(before.consents, statements) };
      save(before, { profile, isNew: drafts.get(before._id)?.isNew ?? false });
    },

    /** Whether the last person who had an email or phone was deleted after this stamp. */
    isErased(key: string, at: Stamp): boolean {
      const fates = known.fates.get(key);
      if (!fates) needs.fates.add(key);
      return (fates ?? []).some((fate) => fate.to === undefined && at <= fate.at);
    },

    /** Something happened to them: it counts when those who share an email are ranked. */
    touch(id: string, at: Stamp): void {
      touched.set(id, Math.max(touched.get(id) ?? 0, at));
    },

    /** In one order everywhere, so that two batches don't wait for each other crosswise. */
    writes() {
      const sorted = [...drafts.values()].toSorted((a, b) => (a.profile._id < b.profile._id ? -1 : 1));
      return {
        created: sorted.filter(({ isNew }) => isNew).map(({ profile }) => profile),
        changed: sorted.flatMap(({ profile }): Changed[] => {
          const before = known.profiles.get(profile._id);
          return before ? [{ before, after: profile }] : [];
        }),
        claims: [...claims.values()],
        reached: [...reached.values()],
        locks: [...locks.values()],
        contacts: contacts.writes(),
      };
    },
  };
};

export type People = ReturnType<typeof createPeople>;
