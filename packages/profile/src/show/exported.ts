/** The exported user (api.md), field by field: the stored places that it reads, and the value that it shows. A removed value is not there. */
import { groupIn } from '../consent/consent.ts';
import { randomBucket } from '../find/service-id.ts';
import { isNested, type Nested } from '../fold/nested.ts';
import {
  type Consent,
  type FieldName,
  fieldNames,
  type ListName,
  listNames,
  type Profile,
  type Stamp,
} from '../profile.ts';

/** Data from outside the profile. */
export type ExportNeed = 'said' | 'events' | 'purchases' | 'revenue';

/** Occurrences of one name in the window. */
export interface OccurrenceSummary {
  name: string;
  first: string;
  last: string;
  count: number;
}

/** All data that is shown of a person. Data that is not needed is missing. */
export interface Seen {
  profile: Profile;
  /** The current states, with the statements about contacts. */
  consents?: readonly Consent[];
  events?: OccurrenceSummary[];
  purchases?: OccurrenceSummary[];
  /** Over all time, as a decimal number. */
  revenue?: string;
}

export interface ExportedField {
  /** Places in the stored profile. */
  reads: readonly string[];
  needs?: ExportNeed;
  shows(seen: Seen): unknown;
}

const timeOf = (stamp: Stamp): string => new Date(Math.floor(stamp / 1000)).toISOString();

/** From entries, not by assignment: `__proto__` is only a name here. */
export const shownAttributes = ({ custom }: Pick<Profile, 'custom'>): Nested =>
  Object.fromEntries(custom.filter(({ v }) => v !== null).map(({ k, v }) => [k, v]));

const coordinatesOf = ({ fields }: Profile): [longitude: number, latitude: number] | undefined => {
  const location = fields.current_location?.v;
  if (!isNested(location)) return undefined;
  const { longitude, latitude } = location;
  return typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : undefined;
};

/** Outside, the app of a push token is called `app`. */
const shownToken = (v: Nested): Nested =>
  Object.fromEntries(Object.entries(v).map(([name, value]) => [name === 'app_id' ? 'app' : name, value]));

/** A count of sessions may be sent as a number; it is shown as a text. */
const shownApp = (v: Nested): Nested => {
  const { sessions } = v;
  return typeof sessions === 'number' || typeof sessions === 'bigint'
    ? { ...v, sessions: String(sessions) }
    : v;
};

const shownItem: { readonly [Name in ListName]?: (v: Nested) => Nested } = {
  apps: shownApp,
  push_tokens: shownToken,
};

const list = (name: ListName): ExportedField => ({
  reads: [`lists.${name}.items`],
  shows({ profile: { lists } }) {
    const sorted = lists[name]?.items.toSorted((a, b) => a.at - b.at || (a.k < b.k ? -1 : 1)) ?? [];
    return sorted.map(({ v }) => shownItem[name]?.(v) ?? v);
  },
});

const plain = (name: FieldName): ExportedField => ({
  reads: [`fields.${name}`],
  shows: ({ profile }) => profile.fields[name]?.v ?? undefined,
});

const member = (shows: (profile: Profile) => unknown, ...reads: string[]): ExportedField => ({
  reads,
  shows: ({ profile }) => shows(profile),
});

/** The person's own statements, and the contacts that they have and had. */
const stated = ['ws', 'email_key', 'phone_key', 'consents', 'contacts', 'fields.email', 'fields.phone'];

type ShowsConsents = (consents: readonly Consent[], profile: Profile) => unknown;

const consent = (shows: ShowsConsents, ...reads: string[]): ExportedField => ({
  reads: [...stated, ...reads],
  needs: 'said',
  shows: ({ profile, consents = profile.consents }) => shows(consents, profile),
});

const registerIn = (consents: readonly Consent[], name: string) => consents.find(({ k }) => k === name);

/** An explicit opt-in time counts, as long as it is not older than the consent itself. */
const optedInAt: ShowsConsents = (consents, { fields: { push_opted_in_at: said } }) => {
  const push = registerIn(consents, 'push');
  if (said && said.at >= (push?.at ?? 0)) return said.v ?? undefined;
  return push?.v === 'opted_in' ? timeOf(push.at) : undefined;
};

const groupsIn: ShowsConsents = (consents) =>
  consents
    .flatMap(({ k, v, at }) => {
      const id = groupIn(k);
      return v !== null && id !== undefined ? [{ id, state: v, since: timeOf(at) }] : [];
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

const occurrences = ['absorbed'];

const oneEach = <Name extends string>(names: readonly Name[], field: (name: Name) => ExportedField) =>
  Object.fromEntries(names.map((name) => [name, field(name)])) as Record<Name, ExportedField>;

const isPlain = (name: FieldName): name is Exclude<FieldName, 'current_location' | 'push_opted_in_at'> =>
  name !== 'current_location' && name !== 'push_opted_in_at';

export const exportedFields = {
  external_id: member(({ external_id }) => external_id, 'external_id'),
  service_id: member(({ _id }) => _id),
  user_aliases: member(
    ({ aliases = [] }) => aliases.map(({ label, name }) => ({ alias_name: name, alias_label: label })),
    'aliases',
  ),
  created_at: member(({ created_at }) => timeOf(created_at), 'created_at'),
  random_bucket: member(({ _id }) => randomBucket(_id)),
  custom_attributes: member(shownAttributes, 'custom.k', 'custom.v'),
  last_coordinates: member(coordinatesOf, 'fields.current_location'),
  custom_events: { reads: occurrences, needs: 'events', shows: ({ events = [] }) => events },
  purchases: { reads: occurrences, needs: 'purchases', shows: ({ purchases = [] }) => purchases },
  total_revenue: { reads: occurrences, needs: 'revenue', shows: ({ revenue = '0' }) => Number(revenue) },
  email_subscribe: consent((consents) => registerIn(consents, 'email')?.v ?? undefined),
  push_subscribe: consent((consents) => registerIn(consents, 'push')?.v ?? undefined),
  push_opted_in_at: consent(optedInAt, 'fields.push_opted_in_at'),
  subscription_groups: consent(groupsIn),
  ...oneEach(listNames, list),
  ...oneEach(fieldNames.filter(isPlain), plain),
} satisfies Record<string, ExportedField>;

export type ExportedFieldName = keyof typeof exportedFields;
