/** What a batch of tracking or subscriptions has loaded about people, and what it still needs. */
import type { Holder } from '../find/holders.ts';
import { type KnownPeople, noPeopleNeeds } from '../find/known.ts';

export interface PlanKnown extends KnownPeople {
  /** People with one of the batch's emails, phones, service ids or imported tokens, by service id. */
  listed: ReadonlyMap<string, Holder>;
  /** Bytes that a profile takes, by service id. */
  bytes: ReadonlyMap<string, number>;
}

export const nothingKnown: PlanKnown = {
  claims: new Map(),
  listed: new Map(),
  profiles: new Map(),
  bytes: new Map(),
  unloaded: new Set(),
  merged: new Map(),
  activity: new Map(),
  contacts: new Map(),
  fates: new Map(),
};

export const noNeeds = () => ({ ...noPeopleNeeds(), fates: new Set<string>() });

export type Needs = ReturnType<typeof noNeeds>;
