/** The exported user (api.md), field by field: the stored places that it reads, and the value that it shows. */
import { type ListName, listNames } from '../profile.ts';
import { plainFieldNames, type VisibleProfile } from './visible.ts';

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
  profile: VisibleProfile;
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

const plain = (name: keyof VisibleProfile['fields']): ExportedField => ({
  reads: [`fields.${name}`],
  shows: ({ profile }) => profile.fields[name],
});

const list = (name: ListName): ExportedField => ({
  reads: [`lists.${name}.items`],
  shows: ({ profile }) => profile.lists[name] ?? [],
});

/** The person's own statements, and the contacts that they have and had. */
const consents = ['ws', 'email_key', 'phone_key', 'consents', 'contacts', 'fields.email', 'fields.phone'];
const occurrences = ['absorbed'];

const summaries = (all: readonly OccurrenceSummary[] = []) => all;

/** A member of the visible profile, and what it is read from. */
const member = (name: keyof VisibleProfile, ...reads: string[]): ExportedField => ({
  reads,
  shows: ({ profile }) => profile[name],
});

const consent = (name: keyof VisibleProfile, ...reads: string[]): ExportedField => ({
  ...member(name, ...consents, ...reads),
  needs: 'said',
});

const oneEach = <Name extends string>(names: readonly Name[], field: (name: Name) => ExportedField) =>
  Object.fromEntries(names.map((name) => [name, field(name)])) as Record<Name, ExportedField>;

export const exportedFields = {
  external_id: member('external_id', 'external_id'),
  service_id: member('service_id'),
  user_aliases: member('user_aliases', 'aliases'),
  created_at: member('created_at', 'created_at'),
  random_bucket: member('random_bucket'),
  custom_attributes: member('custom_attributes', 'custom.k', 'custom.v'),
  last_coordinates: member('last_coordinates', 'fields.current_location'),
  custom_events: { reads: occurrences, needs: 'events', shows: ({ events }) => summaries(events) },
  purchases: { reads: occurrences, needs: 'purchases', shows: ({ purchases }) => summaries(purchases) },
  total_revenue: { reads: occurrences, needs: 'revenue', shows: ({ revenue = '0' }) => Number(revenue) },
  email_subscribe: consent('email_subscribe'),
  push_subscribe: consent('push_subscribe'),
  push_opted_in_at: consent('push_opted_in_at', 'fields.push_opted_in_at'),
  subscription_groups: consent('subscription_groups'),
  ...oneEach(listNames, list),
  ...oneEach(plainFieldNames, plain),
} satisfies Record<string, ExportedField>;

export type ExportedFieldName = keyof typeof exportedFields;
