/** The rules of tracking, identity and subscriptions, applied to people in memory as the workers apply them to the stored ones. */
import { identityRequest } from '@roster/identity-service';
import { planSubscriptions, prepare, type Stamp, type TrackEntry } from '@roster/profile';
import { subscriptionRequest } from '@roster/subscription-service';
import { applyIdentity, type PeopleInMemory, plan } from '@roster/testkit';
import { type ApplyRound, assertTimely } from '@roster/track-service';
import { bought } from '../model.ts';
import type { Request } from './requests.ts';

type Event = TrackEntry & { name: string };
type Purchase = TrackEntry & { product_id: string };
type TrackBody = Parameters<typeof prepare<Event, Purchase>>[0]['body'];

const nothing = (): undefined => undefined;
const reading = { time: nothing, country: nothing, timeZone: nothing, language: nothing };
const isOfTexts = (group: string): boolean => group === 'demo-texts';
const settings = { blockedAttributes: new Set<string>(), mostElements: 25, mostProfileBytes: 1e6, isOfTexts };

export const track =
  ({ knownToTrack, claims, rows, save }: PeopleInMemory): ApplyRound =>
  async (batch, waiters, deletions) => {
    const made = plan<Event, Purchase>({
      requests: batch.map((one) => prepare({ ...one, body: structuredClone(one.body) as TrackBody })),
      known: knownToTrack(),
      reading,
      settingsOf: () => settings,
      happenedAt: (_, at) => at,
      ...(deletions && { deletions }),
    });
    if (!made.ready) throw new Error('everything is known');
    assertTimely(made.results, waiters);
    for (const { key, profile, at } of made.claims) claims.set(key, { profile, at });
    for (const { key, at } of made.reached) {
      const claim = claims.get(key);
      if (claim) claims.set(key, { ...claim, at: Math.min(claim.at, at) });
    }
    save(made.created, made.changed, made.contacts);
    for (const { item, profile } of made.events)
      rows.push({ profile, token: item.entry.name, at: item.origin.at });
    for (const { item, profile } of made.purchases)
      rows.push({ profile, token: bought(item.entry.product_id), at: item.origin.at });
    return new Map(batch.map(({ id }) => [id, { state: 'applied', entries: {} }]));
  };

export const identity = (stored: PeopleInMemory, batch: readonly Request[], now: Stamp): void => {
  const { rows } = stored;
  const { sweeps } = applyIdentity(stored, batch.map(identityRequest), now);
  const swept = new Set(sweeps.flatMap(({ profiles: ids }) => ids));
  rows.splice(0, rows.length, ...rows.filter(({ profile }) => !swept.has(profile)));
};

export const subscribe = ({ knownToTrack, save }: PeopleInMemory, one: Request): void => {
  const requests = [subscriptionRequest(one, (_, group) => (isOfTexts(group) ? 'sms' : 'email'))];
  const made = planSubscriptions({ requests, known: knownToTrack() });
  if (!made.ready) throw new Error('everything is known');
  save([], made.changed, made.contacts);
};
