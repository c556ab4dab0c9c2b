/** The states of consent of a person in the public form. */
import { groupIn } from './consent-keys.ts';
import type { Consent, Profile, Stamp, Stamped } from './profile.ts';
import type { SubscriptionGroup, VisibleProfile } from './visible-profile.ts';

export const timeOf = (stamp: Stamp): string => new Date(Math.floor(stamp / 1000)).toISOString();

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

export const visibleConsents = ({ fields }: Profile, consents: readonly Consent[]): VisibleConsents => {
  const email = consents.find(({ k }) => k === 'email');
  const push = consents.find(({ k }) => k === 'push');
  return {
    ...(email?.v && { email_subscribe: email.v }),
    ...(push?.v && { push_subscribe: push.v }),
    ...optedInAt(fields.push_opted_in_at, push),
    subscription_groups: visibleGroups(consents),
  };
};
