/** The public form of a profile: no stamps, no removed values (api.md: exported user object). */
import { groupIn } from '../consent/consent.ts';
import { randomBucket } from '../find/service-id.ts';
import {
  type Consent,
  type ConsentState,
  type FieldName,
  fieldNames,
  type List,
  type ListName,
  type Profile,
  type Stamp,
  type Stamped,
  type Value,
} from '../profile.ts';

type VisibleItem = { [name: string]: Value };

/** @public The declarations of exported.ts name it. */
export interface SubscriptionGroup {
  id: string;
  state: ConsentState;
  since: string;
}

export interface VisibleProfile {
  service_id: string;
  external_id?: string;
  user_aliases: { alias_name: string; alias_label: string }[];
  /** All fields with one value each, except those that have a form of their own below. */
  fields: { [Name in PlainFieldName]?: Value };
  /** Empty lists are absent. */
  lists: { [Name in ListName]?: VisibleItem[] };
  last_coordinates?: [longitude: number, latitude: number];
  email_subscribe?: ConsentState;
  push_subscribe?: ConsentState;
  push_opted_in_at?: string;
  subscription_groups: SubscriptionGroup[];
  custom_attributes: VisibleItem;
  created_at: string;
  random_bucket: number;
}

const isThere = (v: Value): boolean => v !== null;

const timeOf = (stamp: Stamp): string => new Date(Math.floor(stamp / 1000)).toISOString();

/** From entries, not by assignment: `__proto__` is only a name here. */
const visibleCustom = ({ custom }: Profile): VisibleItem =>
  Object.fromEntries(custom.filter(({ v }) => isThere(v)).map(({ k, v }) => [k, v]));

const hasFormOfItsOwn: ReadonlySet<string> = new Set(['current_location', 'push_opted_in_at']);

type PlainFieldName = Exclude<FieldName, 'current_location' | 'push_opted_in_at'>;

export const plainFieldNames = fieldNames.filter(
  (name): name is PlainFieldName => !hasFormOfItsOwn.has(name),
);

const visibleFields = ({ fields }: Profile): VisibleProfile['fields'] =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, { v }]) => isThere(v) && !hasFormOfItsOwn.has(name))
      .map(([name, { v }]) => [name, v]),
  );

/** Outside, the app of a push token is called `app`. */
const visibleToken = (v: VisibleItem): VisibleItem =>
  Object.fromEntries(Object.entries(v).map(([name, value]) => [name === 'app_id' ? 'app' : name, value]));

/** A count of sessions may be sent as a number; it is shown as a text. */
const visibleApp = (v: VisibleItem): VisibleItem => {
  const { sessions } = v;
  return typeof sessions === 'number' || typeof sessions === 'bigint'
    ? { ...v, sessions: String(sessions) }
    : v;
};

const visibleItem: { readonly [Name in ListName]?: (v: VisibleItem) => VisibleItem } = {
  apps: visibleApp,
  push_tokens: visibleToken,
};

const visibleList = (name: ListName, { items }: List): VisibleItem[] => {
  const sorted = items.toSorted((a, b) => a.at - b.at || (a.k < b.k ? -1 : 1));
  const shown = visibleItem[name];
  return sorted.map(({ v }) => (shown ? shown(v) : v));
};

const visibleLists = ({ lists }: Profile): VisibleProfile['lists'] =>
  Object.fromEntries(
    Object.entries(lists)
      .filter(([, { items }]) => items.length > 0)
      .map(([name, list]) => [name, visibleList(name as ListName, list)]),
  );

const visibleLocation = (location: Stamped | undefined): Pick<VisibleProfile, 'last_coordinates'> => {
  const v = location?.v;
  if (typeof v !== 'object' || v === null || Array.isArray(v)) return {};
  const { longitude, latitude } = v;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return {};
  return { last_coordinates: [longitude, latitude] };
};

/** An explicit opt-in time counts, as long as it is not older than the consent itself. */
const optedInAt = (
  said: Stamped | undefined,
  push: Consent | undefined,
): Pick<VisibleProfile, 'push_opted_in_at'> => {
  if (said && said.at >= (push?.at ?? 0)) {
    return typeof said.v === 'string' ? { push_opted_in_at: said.v } : {};
  }
  return push?.v === 'opted_in' ? { push_opted_in_at: timeOf(push.at) } : {};
};

const visibleGroups = (consents: readonly Consent[]): SubscriptionGroup[] =>
  consents
    .flatMap(({ k, v, at }) => {
      const id = groupIn(k);
      return v !== null && id !== undefined ? [{ id, state: v, since: timeOf(at) }] : [];
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

type VisibleConsents = Pick<
  VisibleProfile,
  'email_subscribe' | 'push_subscribe' | 'push_opted_in_at' | 'subscription_groups'
>;

const visibleConsents = ({ fields }: Profile, consents: readonly Consent[]): VisibleConsents => {
  const email = consents.find(({ k }) => k === 'email');
  const push = consents.find(({ k }) => k === 'push');
  return {
    ...(email?.v && { email_subscribe: email.v }),
    ...(push?.v && { push_subscribe: push.v }),
    ...optedInAt(fields.push_opted_in_at, push),
    subscription_groups: visibleGroups(consents),
  };
};

/** `consents` are the current states, with the statements about contacts. */
export const visible = (
  profile: Profile,
  consents: readonly Consent[] = profile.consents,
): VisibleProfile => ({
  service_id: profile._id,
  ...(profile.external_id !== undefined && { external_id: profile.external_id }),
  user_aliases: (profile.aliases ?? []).map(({ label, name }) => ({ alias_name: name, alias_label: label })),
  fields: visibleFields(profile),
  lists: visibleLists(profile),
  ...visibleLocation(profile.fields.current_location),
  ...visibleConsents(profile, consents),
  custom_attributes: visibleCustom(profile),
  created_at: timeOf(profile.created_at),
  random_bucket: randomBucket(profile._id),
});
