/** Everybody a batch is about: as they were loaded, with what the entries so far have made of them. */
import type { Change } from '../change.ts';
import type { Fold, Note } from '../fold.ts';
import { type Identifier, identityKey } from '../identifier.ts';
import { newProfile, type Profile, type Stamp } from '../profile.ts';
import { type Candidate, rankCandidates } from '../rank-candidates.ts';
import { serviceIdOf } from '../service-id.ts';
import type { Item, TrackEntry } from './item.ts';

/** As much of a profile as finding people takes. */
export interface Listed extends Candidate {
  ws: string;
  email_key?: string;
  phone_key?: string;
}

export interface Known {
  /** External ids and aliases: identity key to service id. */
  claims: ReadonlyMap<string, string>;
  /** Everybody with one of the batch's emails, phones or service ids. */
  listed: ReadonlyMap<string, Listed>;
  /** Whole profiles, by service id. */
  profiles: ReadonlyMap<string, Profile>;
  /** The last event or purchase, by service id. */
  activity: ReadonlyMap<string, Stamp>;
}

/** What has to be loaded before the batch can be planned. */
export interface Needs {
  profiles: Set<string>;
  activity: Set<string>;
}

export interface Identity {
  key: string;
  profile: string;
  at: Stamp;
}

/** Beyond that, those who were changed longest ago are out of the running. */
const mostContenders = 100;

type Draft = { profile: Profile; isNew: boolean };
type AnyItem = Item<TrackEntry>;

const keysOf = ({ ws, email_key, phone_key }: Listed | Profile): string[] => [
  ...(email_key === undefined ? [] : [identityKey(ws, { by: 'email', email: email_key })]),
  ...(phone_key === undefined ? [] : [identityKey(ws, { by: 'phone', phone: phone_key })]),
];

/** A new person's email or phone is a field like any other. */
const ownField = (identifier: Identifier): Change[] => {
  if (identifier.by === 'email') return [{ kind: 'field', name: 'email', value: identifier.email }];
  if (identifier.by === 'phone') return [{ kind: 'field', name: 'phone', value: identifier.phone }];
  return [];
};

const named = (profile: Profile, identifier: Identifier): Profile => {
  if (identifier.by === 'external_id') return { ...profile, external_id: identifier.id };
  if (identifier.by === 'user_alias') {
    return { ...profile, aliases: [{ label: identifier.label, name: identifier.name }] };
  }
  return profile;
};

export const createPeople = (known: Known, fold: Fold) => {
  const drafts = new Map<string, Draft>();
  const claims = new Map<string, Identity>();
  const locks = new Map<string, Identity>();
  const touched = new Map<string, Stamp>();
  const needs: Needs = { profiles: new Set(), activity: new Set() };
  const sharers = new Map<string, Set<string>>();

  const list = (key: string, id: string): void => {
    const ids = sharers.get(key);
    if (ids) ids.add(id);
    else sharers.set(key, new Set([id]));
  };
  for (const person of known.listed.values()) for (const key of keysOf(person)) list(key, person._id);

  const current = (id: string): Profile | undefined => drafts.get(id)?.profile ?? known.profiles.get(id);

  const save = (before: Profile, draft: Draft): void => {
    for (const key of keysOf(before)) sharers.get(key)?.delete(before._id);
    for (const key of keysOf(draft.profile)) list(key, before._id);
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
    const all = rankCandidates(
      ids.map((id) => current(id) ?? known.listed.get(id)).filter((one) => one !== undefined),
    );
    const isIdentified = all[0]?.external_id !== undefined;
    const contenders = all
      .filter((one) => (one.external_id !== undefined) === isIdentified)
      .slice(0, mostContenders);
    if (contenders.length < 2) return contenders[0]?._id;
    return rankCandidates(contenders.map((one) => ({ ...one, active_at: activityOf(one._id) })))[0]?._id;
  };

  const byServiceId = (ws: string, id: string): string | undefined =>
    (current(id) ?? known.listed.get(id))?.ws === ws ? id : undefined;

  return {
    needs,

    find({ identifier, key, origin }: AnyItem): string | undefined {
      if (identifier.by === 'external_id' || identifier.by === 'user_alias') {
        return known.claims.get(key) ?? claims.get(key)?.profile;
      }
      if (identifier.by === 'service_id') return byServiceId(origin.ws, identifier.id);
      return first([...(sharers.get(key) ?? [])]);
    },

    create({ identifier, key, origin, position }: AnyItem): string {
      const { id, ws, at } = origin;
      const profile = newProfile(serviceIdOf(at, position, id), ws, at);
      const isClaim = identifier.by === 'external_id' || identifier.by === 'user_alias';
      (isClaim ? claims : locks).set(key, { key, profile: profile._id, at });
      save(profile, {
        profile: fold(named(profile, identifier), ownField(identifier), at).profile,
        isNew: true,
      });
      return profile._id;
    },

    change(id: string, changes: readonly Change[], at: Stamp): Note[] {
      const before = current(id);
      if (!before) {
        needs.profiles.add(id);
        return [];
      }
      const { profile, notes } = fold(before, changes, at);
      save(before, { profile, isNew: drafts.get(id)?.isNew ?? false });
      return notes;
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
        changed: sorted.filter(({ isNew }) => !isNew).map(({ profile }) => profile),
        claims: [...claims.values()],
        locks: [...locks.values()],
      };
    },
  };
};

export type People = ReturnType<typeof createPeople>;
