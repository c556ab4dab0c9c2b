/** The answer to a single update whose caller waits for it: the stored person. */
import { planInRounds } from '@roster/batch';
import type { AcceptedRequest, Outcome, TrackSyncAnswer } from '@roster/contract';
import { type Item, type Profile, shownAttributes, type TrackEntry } from '@roster/profile';
import {
  createLoadBudget,
  joinSummaries,
  loadLimits,
  type OccurrenceKind,
  type Store,
  type Summary,
  settingsOfAll,
} from '@roster/store';
import { prepared, type TrackRequest } from './operations.ts';
import { ruleOf } from './planner.ts';
import type { SettingsOf } from './settings.ts';

type TrackedUser = TrackSyncAnswer['users'][number];

const windowMs = 90 * 24 * 3600 * 1000;

/** Of one read: the caller waits for the answer. */
const maxTimeMS = 8000;

const withoutPerson: TrackSyncAnswer = { message: 'success', users: [] };

const hadEffect = ({ entries = {} }: Outcome): boolean =>
  Object.values(entries).some((results) => results.some((result) => /^(created|updated)$/.test(result)));

/** The identifier as it was sent. */
const sentIdentifier = ({ identifier: { by }, entry }: Item<TrackEntry>): object =>
  by === 'tokens' ? {} : { [by]: entry[by] };

const shown = ({ first, last, count }: Summary) => ({
  first: first.toISOString(),
  last: last.toISOString(),
  count,
});

/** The occurrences of this name in the window, those of absorbed profiles too; a purchase counts as often as its quantity. */
const countedIn = (
  store: Store,
  kind: OccurrenceKind,
  { _id, absorbed = [] }: Profile,
  { at }: { at: number },
  name: string,
) => {
  const query = { profiles: [_id, ...absorbed], since: new Date(at / 1000 - windowMs), name };
  return store.snapshot({ maxTimeMS }, async (moment) => {
    let all: Summary | undefined;
    for await (const some of store[kind].summaries(query, moment))
      for (const one of some) all = all ? joinSummaries(all, one) : one;
    return all ? [shown(all)] : [];
  });
};

export interface SyncOptions {
  store: Store;
  settingsOf: SettingsOf;
}

export const createSync = ({ store, settingsOf }: SyncOptions) => {
  /** Planned once more, and not written: the person of the entry is found as when it was applied. */
  const personOf = async (request: AcceptedRequest, about: TrackRequest): Promise<Profile | undefined> => {
    const settings = await settingsOfAll([request], settingsOf);
    return store.transact(async (session) => {
      const { large, wholeUpTo } = loadLimits;
      const budget = createLoadBudget(large, { mayCut: false, wholeUpTo });
      const rule = ruleOf(store, settings);
      const { results, created } = await planInRounds(rule, session, [about], budget);
      const id = results[0]?.person ?? '';
      if (created.some(({ _id }) => _id === id)) return undefined;
      return (await store.profiles.findOne({ _id: id }, { session })) ?? undefined;
    });
  };

  const user = async (profile: Profile, about: TrackRequest): Promise<TrackedUser[]> => {
    const { attributes, events, purchases } = about;
    const [attribute, event, purchase] = [attributes[0], events[0], purchases[0]];
    if (attribute) return [{ ...sentIdentifier(attribute), custom_attributes: shownAttributes(profile) }];
    if (event) {
      const { name } = event.entry;
      const counted = await countedIn(store, 'events', profile, event.origin, name);
      return [{ ...sentIdentifier(event), custom_events: counted.map((some) => ({ name, ...some })) }];
    }
    if (!purchase) return [];
    const { product_id } = purchase.entry;
    const counted = await countedIn(store, 'purchases', profile, purchase.origin, product_id);
    return [
      { ...sentIdentifier(purchase), purchase_events: counted.map((some) => ({ product_id, ...some })) },
    ];
  };

  /** Runs after the request was applied, now or before. */
  return async (request: AcceptedRequest, outcome: Outcome): Promise<TrackSyncAnswer> => {
    if (!hadEffect(outcome)) return withoutPerson;
    const about = prepared(request);
    const profile = await personOf(request, about);
    return profile ? { message: 'success', users: await user(profile, about) } : withoutPerson;
  };
};
