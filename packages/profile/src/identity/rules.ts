/** A rule for each kind of entry. It returns the result of the entry; `undefined` when more has to be known first. */
import { bytesOf } from '../bytes.ts';
import { consentHistory } from '../consent/consent-history.ts';
import { joinConsents } from '../consent/consent-merge.ts';
import { contactKeysOf } from '../consent/contact-log.ts';
import { aliasKey, claimedKeysOf, externalKey, isClaimed } from '../find/claim.ts';
import { currentContactKeysOf, hadContact, hasContact, tokenKeysOf } from '../find/holders.ts';
import { type Identifier, identityKey } from '../find/identifier.ts';
import { serviceIdOf } from '../find/service-id.ts';
import { leftInIdentify, leftInMerge } from '../merge/left-behind.ts';
import { identifyProfiles, mergeProfiles } from '../merge/merge-profiles.ts';
import { markOrigins } from '../merge/origins.ts';
import type { Origin } from '../plan/item.ts';
import { type Alias, newProfile, type Profile, type Stamp } from '../profile.ts';
import type { FoundPerson, IdentityReason } from './choice.ts';
import type { IdentityEntry, NamedPerson } from './request.ts';
import type { World } from './world.ts';

export type IdentityResult = 'created' | 'updated' | `ignored:${IdentityReason}` | `refused:${string}`;

type EntryOf<Kind extends IdentityEntry['do']> = Extract<IdentityEntry, { do: Kind }>;

type RuleOf<Kind extends IdentityEntry['do']> = (
  world: World,
  origin: Origin,
  entry: EntryOf<Kind>,
  position: number,
) => IdentityResult | undefined;

const ignored = (reason: IdentityReason): IdentityResult => `ignored:${reason}`;

/** A taken name is refused rather than ignored: the caller is told at once. */
const nameTaken: IdentityResult = 'refused:name_taken';

const serviceKey = (ws: string, id: string): string => identityKey(ws, { by: 'service_id', id });
const byExternalId = (id: string): { who: Identifier } => ({ who: { by: 'external_id', id } });

/** The profile that was found, or the result that says why there is none. */
const profileOf = (world: World, found: FoundPerson): Profile | IdentityResult | undefined => {
  if (found === 'unknown') return undefined;
  return 'reason' in found ? ignored(found.reason) : world.person(found.id);
};

const isProfile = (value: Profile | IdentityResult | undefined): value is Profile =>
  typeof value === 'object';

/** A track request that was accepted later, and applied earlier, has created the person. A search by email or phone leaves such people out anyway. */
const beganAfter = (world: World, { ws, at }: Origin, who: Identifier, { created_at }: Profile): boolean =>
  isClaimed(who) && created_at > at && world.claims.givenAt(identityKey(ws, who)) > at;

/** The person got this email or phone after the request was accepted. */
const hasGained = ({ ws, at }: Origin, who: Identifier, profile: Profile): boolean => {
  const key = identityKey(ws, who);
  return hasContact(key)(profile) && !hadContact(key, at)(profile);
};

/** The stamp of a merge or `identify`, and whether it names one of the two people by an email or phone. */
type MergeOrigin = Origin & { byContact: boolean };

const isByContact = ({ who: { by } }: NamedPerson): boolean => by === 'email' || by === 'phone';

const touched = (profile: Profile, { at }: Origin): Profile => ({
  ...profile,
  updated_at: Math.max(profile.updated_at, at),
});

const withAlias = (profile: Profile, alias: Alias): Profile => ({
  ...profile,
  aliases: [...(profile.aliases ?? []), alias],
});

const createByAlias = (world: World, origin: Origin, alias: Alias, position: number): IdentityResult => {
  const profile = newProfile(serviceIdOf(origin.at, position, origin.id), origin.ws, origin.at);
  world.create(withAlias(profile, alias));
  world.claims.give(aliasKey(origin.ws, alias), profile._id);
  return 'created';
};

/** A repeated request finds the person that it created: a person without an external id. */
const isAliasOnly = (holder: Profile | undefined): boolean => holder?.external_id === undefined;

const aliasNew: RuleOf<'alias_new'> = (world, origin, entry, position) => {
  const { label, name, external_id } = entry;
  const alias = { label, name };
  const key = aliasKey(origin.ws, alias);
  const holder = world.find(origin, { who: { by: 'user_alias', label, name } });
  if (external_id === undefined) {
    if (holder === 'unknown') return undefined;
    if ('id' in holder) return isAliasOnly(world.person(holder.id)) ? 'updated' : nameTaken;
    if (world.claims.ownerOf(key) !== undefined) return nameTaken;
    return holder.reason === 'no_such_user'
      ? createByAlias(world, origin, alias, position)
      : ignored(holder.reason);
  }
  const profile = profileOf(world, world.find(origin, byExternalId(external_id)));
  if (!isProfile(profile)) return profile;
  const own = profile.aliases?.find((one) => one.label === label);
  if (own) return own.name === name ? 'updated' : ignored('label_taken');
  if (world.claims.ownerOf(key) !== undefined) return nameTaken;
  if ((profile.aliases?.length ?? 0) >= mostAliases) return ignored('too_many_aliases');
  world.put(touched(withAlias(profile, alias), origin));
  world.claims.give(key, profile._id);
  return 'updated';
};

const aliasUpdate: RuleOf<'alias_update'> = (world, origin, { label, from, to }) => {
  const { ws } = origin;
  const profile = profileOf(world, world.find(origin, { who: { by: 'user_alias', label, name: from } }));
  if (!isProfile(profile)) return profile;
  const aliases = profile.aliases ?? [];
  // Found by a former name: another request was applied before.
  if (!aliases.some((one) => one.label === label && one.name === from)) return ignored('no_such_user');
  if (from === to) return 'updated';
  const [oldKey, newKey] = [aliasKey(ws, { label, name: from }), aliasKey(ws, { label, name: to })];
  if (world.claims.ownerOf(newKey) !== undefined) return nameTaken;
  const renamed = aliases.map((one) => (one.label === label ? { label, name: to } : one));
  world.put(touched({ ...profile, aliases: renamed }, origin));
  world.claims.give(oldKey, undefined, profile._id);
  world.claims.give(newKey, profile._id);
  world.claims.addTombstone({ ws, key: oldKey, to: profile._id });
  return 'updated';
};

const serviceIdsOf = ({ _id, absorbed = [] }: Profile): string[] => [_id, ...absorbed];

/**
 * Claims of the profile that is merged away move to the kept profile. Identifiers that it does not take over become tombstones, which
 * lead to the service id of their last owner. Tombstones of service ids lead on to the kept profile.
 */
const moveClaims = (world: World, away: Profile, kept: Profile, extent: { part?: true }): void => {
  const { ws, _id: to } = away;
  const taken = new Set(claimedKeysOf(kept));
  for (const key of claimedKeysOf(away)) {
    world.claims.give(key, taken.has(key) ? kept._id : undefined, away._id);
    world.claims.addTombstone({ ws, key, to });
  }
  for (const key of tokenKeysOf(away)) world.claims.addTombstone({ ws, key, to });
  for (const key of currentContactKeysOf(away)) world.claims.addTombstone({ ws, key, to });
  for (const id of serviceIdsOf(away))
    world.claims.addTombstone({ ws, key: serviceKey(ws, id), forGood: true, to: kept._id, ...extent });
};

/** Before people can be merged their profiles are needed as a whole. `result: undefined`: more has to be known first. */
const lacking = (world: World, ...people: Profile[]): { result: IdentityResult | undefined } | undefined => {
  const known = people.map(({ _id }) => world.hasWhole(_id));
  if (known.includes('no_room')) return { result: ignored('too_much_to_load') };
  return known.includes(false) ? { result: undefined } : undefined;
};

/** A change of a person goes through all their identifiers, so these have a bound. */
export const mostAliases = 500;
export const mostIds = 500;

/** The reason why a merged profile is too large. */
const surplusOf = (world: World, profile: Profile): IdentityReason | undefined => {
  const { ws, aliases = [], absorbed = [] } = profile;
  if (bytesOf(profile) > world.mostBytesOf(ws)) return 'profile_full';
  if (aliases.length > mostAliases) return 'too_many_aliases';
  return absorbed.length > mostAbsorbed ? 'too_many_ids' : undefined;
};

/** Events of a person are read by all their service ids. */
export const mostAbsorbed = 5000;

/** Rows that belong to no person any more: events and purchases of a person of whom `identify` takes over only a part. */
const sweepRows = (world: World, { at }: Origin, other: Profile): void =>
  world.sweep({ ws: other.ws, profiles: serviceIdsOf(other), keys: [], former: [], at, history: [] });

/**
 * A merge, or an `identify` without one. After the latter, events, purchases and attributes of the other person belong to no profile any more, so later
 * requests about them are too late. Requests about values that `identify` takes over may come late.
 */
const join = (world: World, origin: MergeOrigin, away: Profile, kept: Profile, merges = true) => {
  const lack = lacking(world, kept, away);
  if (lack) return lack.result;
  const contacts = world.contactsOf(kept, away);
  if (!contacts) return undefined;
  const made = (merges ? mergeProfiles : identifyProfiles)(kept, away, world.time);
  const joined = markOrigins(away._id, kept, joinConsents(kept, away, made, contacts, origin));
  const surplus = surplusOf(world, joined);
  if (surplus) return ignored(surplus);
  world.put(touched(world.settled(kept, joined, origin), origin));
  world.leave((merges ? leftInMerge : leftInIdentify)(kept, away, joined));
  world.remove(away, kept._id, merges);
  world.leaveContacts(away);
  if (merges) world.joinActivity(away._id, kept._id);
  else sweepRows(world, origin, away);
  moveClaims(world, away, joined, merges ? {} : { part: true });
  return 'updated';
};

const merge: RuleOf<'merge'> = (world, origin, entry) => {
  const away = profileOf(world, world.find(origin, entry.away));
  const kept = profileOf(world, world.find(origin, entry.kept));
  if (!isProfile(away)) return away;
  if (!isProfile(kept)) return kept;
  if (beganAfter(world, origin, entry.away.who, away) || beganAfter(world, origin, entry.kept.who, kept))
    return ignored('no_such_user');
  if (away._id === kept._id) return ignored('same_user');
  const byContact = isByContact(entry.away) || isByContact(entry.kept);
  return join(world, { ...origin, byContact }, away, kept);
};

const giveExternalId = (world: World, origin: Origin, profile: Profile, id: string): IdentityResult => {
  world.put(touched({ ...profile, external_id: id }, origin));
  world.claims.give(externalKey(origin.ws, id), profile._id);
  return 'updated';
};

const labelIsTaken = (who: Identifier, { aliases = [] }: Profile): boolean =>
  who.by === 'user_alias' && aliases.some(({ label }) => label === who.label);

/**
 * When `identify` counts. If the identified person was created, or got the contact of the other person, after the request was accepted, the
 * request counts after all applied changes of that person: other people may share the contact now, and earlier statements about the person are
 * not about the contact that comes over.
 */
const placeOf = (world: World, origin: Origin, { external_id, named }: EntryOf<'identify'>) => {
  const found = world.find(origin, byExternalId(external_id));
  if (found === 'unknown') return undefined;
  const owner = 'id' in found ? world.person(found.id) : undefined;
  const isLater =
    owner &&
    (beganAfter(world, origin, byExternalId(external_id).who, owner) || hasGained(origin, named.who, owner));
  const byContact = isByContact(named);
  return { ...origin, byContact, ...(isLater && { at: owner.updated_at + 1 }) };
};

/**
 * Whether the external id has no owner. It is also free when a deletion that was accepted later is applied already: then the request counts
 * after the deletion.
 */
const isFree = (found: FoundPerson): boolean =>
  found !== 'unknown' && 'reason' in found && (found.reason === 'no_such_user' || found.reason === 'deleted');

const identify: RuleOf<'identify'> = (world, origin, entry) => {
  const { external_id, named, merges } = entry;
  const place = placeOf(world, origin, entry);
  if (!place) return undefined;
  const other = profileOf(world, world.find(place, named));
  if (!isProfile(other)) return other;
  const owner = world.claims.ownerOf(externalKey(origin.ws, external_id));
  if (owner === other._id) return ignored('same_user');
  if (other.external_id !== undefined) return ignored('already_identified');
  const found = world.find(origin, byExternalId(external_id));
  if (owner === undefined && isFree(found)) return giveExternalId(world, origin, other, external_id);
  const identified = profileOf(world, found);
  if (!isProfile(identified)) return identified;
  if (identified._id === other._id) return ignored('same_user');
  if (labelIsTaken(named.who, identified)) return ignored('label_taken');
  return join(world, place, other, identified, merges);
};

/** Contacts that no other person had when the deletion was accepted; `undefined` when that is not known yet. */
const ownContactsOf = (world: World, profile: Profile, at: Stamp): string[] | undefined => {
  const keys = currentContactKeysOf(profile);
  const own = keys.map((key) => world.isOnlyOwner(profile, key, at));
  return own.includes(undefined) ? undefined : keys.filter((_, place) => own[place]);
};

/** Requests up to this stamp are about the deleted person and have no effect. The stamp covers all requests that were applied before the deletion. */
const goneUntil = ({ updated_at }: Profile, { at }: Origin): Stamp => Math.max(at, updated_at);

const remove: RuleOf<'delete'> = (world, origin, { named }) => {
  const profile = profileOf(world, world.find(origin, named));
  if (!isProfile(profile)) return profile;
  const { ws, at } = origin;
  if (beganAfter(world, origin, named.who, profile)) return ignored('no_such_user');
  const until = goneUntil(profile, origin);
  const own = ownContactsOf(world, profile, at);
  const contacts = world.contactsOf(profile);
  if (!own || !contacts) return undefined;
  const history = consentHistory(profile, contacts);
  const claimed = claimedKeysOf(profile);
  const ids = serviceIdsOf(profile);
  for (const key of claimed) {
    const since = world.claims.givenAt(key);
    world.claims.give(key, undefined, profile._id);
    world.claims.addTombstone({ ws, key, until, of: ids, ...(since > 0 && { since }) });
  }
  for (const key of tokenKeysOf(profile)) world.claims.addTombstone({ ws, key, until });
  for (const key of own) world.claims.addTombstone({ ws, key, until: at });
  for (const key of own) world.eraseContact(ws, key, at);
  for (const id of ids) world.claims.addTombstone({ ws, key: serviceKey(ws, id), forGood: true, until });
  world.erase(profile, until, ids);
  const keys = [...claimed, ...own, ...tokenKeysOf(profile), ...ids.map((id) => serviceKey(ws, id))];
  const former = contactKeysOf(profile).filter((key) => !currentContactKeysOf(profile).includes(key));
  world.sweep({ ws, profiles: ids, keys, former, at, until, history });
  return 'updated';
};

const rename: RuleOf<'rename'> = (world, origin, { from, to }) => {
  if (from === to) return ignored('same_id');
  const profile = profileOf(world, world.find(origin, byExternalId(from)));
  if (!isProfile(profile)) return profile;
  if (profile.external_id !== from) return ignored('not_primary');
  const key = externalKey(origin.ws, to);
  if (world.claims.ownerOf(key) !== undefined) return ignored('id_taken');
  const former_ids = [...(profile.former_ids ?? []), from];
  if (former_ids.length > mostIds) return ignored('too_many_ids');
  world.put(touched({ ...profile, external_id: to, former_ids }, origin));
  world.claims.give(key, profile._id);
  return 'updated';
};

const removeId: RuleOf<'remove'> = (world, origin, { external_id }) => {
  const { ws } = origin;
  const profile = profileOf(world, world.find(origin, byExternalId(external_id)));
  if (!isProfile(profile)) return profile;
  if (profile.external_id === external_id) return ignored('primary');
  const { former_ids = [], ...rest } = profile;
  if (!former_ids.includes(external_id)) return ignored('no_such_user');
  const left = former_ids.filter((id) => id !== external_id);
  const key = externalKey(ws, external_id);
  world.put(touched({ ...rest, ...(left.length > 0 && { former_ids: left }) }, origin));
  world.claims.give(key, undefined, profile._id);
  world.claims.addTombstone({ ws, key, to: profile._id });
  return 'updated';
};

const rules: { [Kind in IdentityEntry['do']]: RuleOf<Kind> } = {
  alias_new: aliasNew,
  alias_update: aliasUpdate,
  identify,
  merge,
  delete: remove,
  rename,
  remove: removeId,
};

export const applyEntry = (world: World, origin: Origin, entry: IdentityEntry, position: number) => {
  const rule = rules[entry.do] as RuleOf<IdentityEntry['do']>;
  return rule(world, origin, entry as never, position);
};
