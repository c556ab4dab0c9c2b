/** The shape of the public form of a profile. */
import type { ConsentState, FieldName, ListName, Value } from './profile.ts';

export interface VisibleProfile {
  service_id: string;
  external_id?: string;
  user_aliases: { alias_name: string; alias_label: string }[];
  /** All fields with one value each, except those that have a form of their own below. */
  fields: { [Name in Exclude<FieldName, 'current_location' | 'push_opted_in_at'>]?: Value };
  /** Empty lists are absent. */
  lists: { [Name in ListName]?: Shown[] };
  last_coordinates?: [longitude: number, latitude: number];
  email_subscribe?: ConsentState;
  push_subscribe?: ConsentState;
  push_opted_in_at?: string;
  subscription_groups: SubscriptionGroup[];
  custom_attributes: Shown;
  created_at: string;
  random_bucket: number;
}

export type Shown = { [name: string]: Value };

/** @public The declarations of exported.ts name it. */
export interface SubscriptionGroup {
  id: string;
  state: ConsentState;
  since: string;
}
