/** The exported user (api.md), field by field: the stored places that it reads, and the value that it shows. */
import type { ListName } from '../profile.ts';
import type { VisibleProfile } from './visible.ts';

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

export const exportedFields = {
  external_id: { reads: ['external_id'], shows: ({ profile }) => profile.external_id },
  service_id: { reads: [], shows: ({ profile }) => profile.service_id },
  user_aliases: { reads: ['aliases'], shows: ({ profile }) => profile.user_aliases },
  created_at: { reads: ['created_at'], shows: ({ profile }) => profile.created_at },
  random_bucket: { reads: [], shows: ({ profile }) => profile.random_bucket },
  custom_attributes: {
    reads: ['custom.k', 'custom.v'],
    shows: ({ profile }) => profile.custom_attributes,
  },
  last_coordinates: {
    reads: ['fields.current_location'],
    shows: ({ profile }) => profile.last_coordinates,
  },
  custom_events: { reads: occurrences, needs: 'events', shows: ({ events }) => summaries(events) },
  purchases: { reads: occurrences, needs: 'purchases', shows: ({ purchases }) => summaries(purchases) },
  total_revenue: { reads: occurrences, needs: 'revenue', shows: ({ revenue = '0' }) => Number(revenue) },
  email_subscribe: { reads: consents, needs: 'said', shows: ({ profile }) => profile.email_subscribe },
  push_subscribe: { reads: consents, needs: 'said', shows: ({ profile }) => profile.push_subscribe },
  push_opted_in_at: {
    reads: [...consents, 'fields.push_opted_in_at'],
    needs: 'said',
    shows: ({ profile }) => profile.push_opted_in_at,
  },
  subscription_groups: {
    reads: consents,
    needs: 'said',
    shows: ({ profile }) => profile.subscription_groups,
  },
  apps: list('apps'),
  campaigns_received: list('campaigns_received'),
  canvases_received: list('canvases_received'),
  cards_clicked: list('cards_clicked'),
  devices: list('devices'),
  push_tokens: list('push_tokens'),
  attributed_ad: plain('attributed_ad'),
  attributed_adgroup: plain('attributed_adgroup'),
  attributed_campaign: plain('attributed_campaign'),
  attributed_source: plain('attributed_source'),
  country: plain('country'),
  date_of_first_session: plain('date_of_first_session'),
  date_of_last_session: plain('date_of_last_session'),
  dob: plain('dob'),
  email: plain('email'),
  email_click_tracking_disabled: plain('email_click_tracking_disabled'),
  email_open_tracking_disabled: plain('email_open_tracking_disabled'),
  facebook: plain('facebook'),
  first_name: plain('first_name'),
  gender: plain('gender'),
  home_city: plain('home_city'),
  image_url: plain('image_url'),
  language: plain('language'),
  last_name: plain('last_name'),
  marked_email_as_spam_at: plain('marked_email_as_spam_at'),
  phone: plain('phone'),
  time_zone: plain('time_zone'),
  twitter: plain('twitter'),
  uninstalled_at: plain('uninstalled_at'),
} satisfies Record<string, ExportedField>;

export type ExportedFieldName = keyof typeof exportedFields;
