/** Two people become one (api.md: /users/merge, rules 3 and 4): one line a member. A member without a rule does not compile. */
import { channels, setContactKey } from '../consent/contact-log.ts';
import { setListKeys } from '../fold/keyed-list.ts';
import {
  type Alias,
  type CustomAttribute,
  fieldMerges,
  fieldNames,
  type ListName,
  listNames,
  newProfile,
  type Profile,
} from '../profile.ts';
import { joinedLists } from './items.ts';
import { earliest, fill, latest, type MergeRule, type ReadTime } from './values.ts';

const fieldRules = { fill, earliest, latest };

/** Each member by its rule. */
const byName =
  <Name extends string, Value>(
    names: readonly Name[],
    ruleOf: (name: Name) => MergeRule<Value | undefined>,
  ): MergeRule<{ [One in Name]?: Value }> =>
  (kept, away, time) => {
    const all: { [One in Name]?: Value } = {};
    for (const name of names) {
      const value = ruleOf(name)(kept[name], away[name], time);
      if (value) all[name] = value;
    }
    return all;
  };

/** A removed value is missing. Values sent to the kept person before the removal must not come back. */
const customOf = (kept: CustomAttribute, away: CustomAttribute): CustomAttribute => {
  if (kept.v !== null) return kept;
  if (away.v === null) return { k: kept.k, v: null, at: Math.max(kept.at, away.at) };
  return kept.at <= away.at ? away : { k: away.k, v: away.v, at: kept.at };
};

const custom: MergeRule<CustomAttribute[]> = (kept, away) => {
  const all = new Map(kept.map((one) => [one.k, one]));
  for (const one of away) {
    const own = all.get(one.k);
    all.set(one.k, own ? customOf(own, one) : one);
  }
  return [...all.values()];
};

/** All aliases move, except an alias under a label that the kept profile uses. */
const aliases: MergeRule<Alias[] | undefined> = (kept, away) => {
  if (!kept || !away) return kept ?? away;
  const labels = new Set(kept.map(({ label }) => label));
  return [...kept, ...away.filter(({ label }) => !labels.has(label))];
};

const first = <Some>(kept: Some, away: Some): Some => kept ?? away;
const stays = <Some>(kept: Some): Some => kept;

/** Made anew from the merged values. */
const derived = (): undefined => undefined;

const rules: { readonly [Member in keyof Required<Profile>]: MergeRule<Profile[Member]> } = {
  _id: stays,
  ws: stays,
  external_id: first,
  // Only the primary id can come over; every other external id of the merged-away profile leads to no person.
  former_ids: stays,
  aliases,
  email_key: derived,
  phone_key: derived,
  device_keys: derived,
  token_keys: derived,
  fields: byName(fieldNames, (name) => fieldRules[fieldMerges[name]]),
  lists: byName(listNames, joinedLists),
  consents: stays,
  contacts: stays,
  contacts_at: stays,
  custom,
  absorbed: stays,
  created_at: (kept, away) => Math.min(kept, away),
  updated_at: (kept, away) => Math.max(kept, away),
};

/** Updates the keys that find the person. */
const withKeys = (profile: Profile): Profile => {
  for (const c of channels) setContactKey(profile, c);
  setListKeys(profile);
  return profile;
};

/** Absent members stay absent: they are never stored as nothing. */
const combined = (kept: Profile, away: Profile, time: ReadTime): Profile => {
  const members = (Object.keys(rules) as (keyof Profile)[]).map((name) => {
    const rule = rules[name] as MergeRule<unknown>;
    return [name, rule(kept[name], away[name], time)] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as unknown as Profile;
};

/** All but consent: see consent-merge.ts. */
export const mergeProfiles = (kept: Profile, away: Profile, time: ReadTime): Profile => {
  const absorbed = [...new Set([...(kept.absorbed ?? []), away._id, ...(away.absorbed ?? [])])];
  return withKeys({ ...combined(kept, away, time), absorbed });
};

/** `identify` without a merge takes over push tokens and message history, besides missing aliases and contacts. */
export const keptByIdentify: readonly ListName[] = ['push_tokens', 'campaigns_received', 'canvases_received'];

/** The rest of the other profile is gone, events and purchases too, so it is not among the absorbed profiles. */
export const identifyProfiles = (identified: Profile, other: Profile, time: ReadTime): Profile => {
  const { _id, ws, created_at, updated_at } = identified;
  const rest = newProfile(_id, ws, created_at);
  rest.updated_at = updated_at;
  if (other.aliases) rest.aliases = other.aliases;
  for (const c of channels) if (other.fields[c]) rest.fields[c] = other.fields[c];
  for (const name of keptByIdentify) if (other.lists[name]) rest.lists[name] = other.lists[name];
  return withKeys(combined(identified, rest, time));
};
