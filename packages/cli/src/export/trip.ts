/** Which fields of an exported user make the trip from `roster export --all` through `roster import`, and why the others don't. docs/round-trip.md shows it. */
import type { ExportedFieldName } from '@roster/profile';
import { staysBehind } from '../import/exported-user.ts';

const because = (name: string): string => {
  const reason = staysBehind[name];
  if (reason === undefined) throw new Error(`nobody says why ${name} stays behind`);
  return reason;
};

const travels = 'travels';

export const trip: Readonly<Record<ExportedFieldName, string>> = {
  external_id: travels,
  service_id: because('service_id'),
  user_aliases:
    'travels, in requests to `/users/alias/new`; a second one of somebody without an external id, by a merge',
  created_at: because('created_at'),
  random_bucket: because('random_bucket'),
  custom_attributes: 'travels; from another system, an attribute with the name of a field stays behind',
  last_coordinates: travels,
  custom_events: 'travels as the events themselves',
  purchases: 'travels as the purchases themselves',
  total_revenue:
    'travels as the purchases themselves, counted with the rates of the workspace that takes them in',
  email_subscribe: travels,
  push_subscribe: travels,
  push_opted_in_at: travels,
  subscription_groups: 'travels, save `since`: when the state was set is when it was imported',
  apps: 'travels, in the order of their keys',
  campaigns_received: 'travels, in the order of their keys',
  canvases_received: 'travels, in the order of their keys',
  cards_clicked: 'travels, in the order of their keys',
  devices: 'travels, in the order of their keys',
  push_tokens: 'travels, in the order of their keys',
  attributed_ad: travels,
  attributed_adgroup: travels,
  attributed_campaign: travels,
  attributed_source: travels,
  country: travels,
  date_of_first_session: travels,
  date_of_last_session: travels,
  dob: travels,
  email: travels,
  email_click_tracking_disabled: travels,
  email_open_tracking_disabled: travels,
  facebook: travels,
  first_name: travels,
  gender: travels,
  home_city: travels,
  image_url: travels,
  language: travels,
  last_name: travels,
  marked_email_as_spam_at: travels,
  phone: travels,
  time_zone: travels,
  twitter: travels,
  uninstalled_at: travels,
};
