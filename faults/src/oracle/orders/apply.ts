/** The rules of tracking, identity and subscriptions, applied to people in memory as the workers apply them to the stored ones. */
import { type Deletions, planSubscriptions, prepare, type Stamp } from '@roster/profile';
import { applyIdentity, type PeopleInMemory, plan, demoWorkspace as ws } from '@roster/testkit';
import { bought } from '../model.ts';
import type { Event, Identified, Purchase, Subscribed, Tracked } from './requests.ts';

const nothing = (): undefined => undefined;
const reading = { time: nothing, country: nothing, timeZone: nothing, language: nothing };
const settings = {
  blockedAttributes: new Set<string>(),
  mostElements: 25,
  mostProfileBytes: 1e6,
  isOfTexts: (group: string): boolean => group === 'demo-texts',
};

const originOf = ({ id, at }: { id: string; at: Stamp }) => ({ id, ws, at, op: 'test' });

/** Nothing is applied when requests have to wait. */
export interface Waiting {
  premature: string[];
  waits: string[];
  /** With the names by which they found nobody. */
  unknown: { id: string; names: string[] }[];
}

export interface Timely {
  due: ReadonlySet<string>;
  /** Nothing unfinished has the names of these. */
  lookedUp: ReadonlySet<string>;
  deletions?: Deletions | undefined;
}

export const track = (
  { knownToTrack, claims, rows, save }: PeopleInMemory,
  batch: readonly Tracked[],
  { due, lookedUp, deletions }: Timely,
): Waiting | undefined => {
  const made = plan<Event, Purchase>({
    requests: batch.map((one) => prepare({ ...originOf(one), body: structuredClone(one.body) })),
    known: knownToTrack(),
    reading,
    settingsOf: () => settings,
    happenedAt: (_, at) => at,
    ...(deletions && { deletions }),
  });
  if (!made.ready) throw new Error('everything is known');
  const premature = made.results.filter((one) => one.premature && !due.has(one.origin.id));
  const waits = made.results.filter((one) => one.waits);
  const unknown = made.results.flatMap(({ origin: { id }, unknown: names }) =>
    names && !lookedUp.has(id) && !due.has(id) ? [{ id, names }] : [],
  );
  const idsOf = (some: typeof premature): string[] => some.map(({ origin }) => origin.id);
  if (premature.length + waits.length + unknown.length > 0)
    return { premature: idsOf(premature), waits: idsOf(waits), unknown };
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
  return undefined;
};

export const identity = (stored: PeopleInMemory, batch: readonly Identified[], now: Stamp): void => {
  const { rows } = stored;
  const requests = batch.map(({ entry, ...one }) => ({ ...originOf(one), lists: { all: [entry] } }));
  const { sweeps } = applyIdentity(stored, requests, now);
  const swept = new Set(sweeps.flatMap(({ profiles: ids }) => ids));
  rows.splice(0, rows.length, ...rows.filter(({ profile }) => !swept.has(profile)));
};

export const subscribe = (
  { knownToTrack, save }: PeopleInMemory,
  { statement, ...one }: Subscribed,
): void => {
  const requests = [{ ...originOf(one), statements: [statement] }];
  const made = planSubscriptions({ requests, known: knownToTrack() });
  if (!made.ready) throw new Error('everything is known');
  save([], made.changed, made.contacts);
};
