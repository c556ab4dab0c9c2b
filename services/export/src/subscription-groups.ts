/** The subscription groups of a workspace, from its settings. */
import type { Consent } from '@roster/profile';
import type { Store } from '@roster/store';

export interface SubscriptionGroup {
  id: string;
  name: string;
  channel: 'email' | 'sms';
}

export const groupsOf = async ({ workspaces }: Store, ws: string): Promise<SubscriptionGroup[]> =>
  (await workspaces.get<{ id: string; subscription_groups?: SubscriptionGroup[] }>(ws))
    ?.subscription_groups ?? [];

export const readStateOf = (consent: Consent | undefined): 'Subscribed' | 'Unsubscribed' | 'unknown' => {
  if (!consent || consent.v === null) return 'unknown';
  return consent.v === 'unsubscribed' ? 'Unsubscribed' : 'Subscribed';
};
