/** People and contacts in memory, changed by the rules of tracking, subscriptions and identity, request by request. */
import {
  type ConsentState,
  contactKey,
  type Identifier,
  type IdentityEntry,
  identityKey,
  type NamedStatement,
  planSubscriptions,
  prepare,
  type Stamp,
  statesOf,
  type TrackEntry,
  type Value,
} from '@roster/profile';
import {
  applyIdentity,
  createPeopleInMemory,
  type PeopleInMemory,
  plan,
  demoWorkspace as ws,
} from './people-in-memory.ts';

type TrackBody = Parameters<typeof prepare<TrackEntry, TrackEntry>>[0]['body'];

const nothing = () => undefined;
const reading = { time: nothing, country: nothing, timeZone: nothing, language: nothing };
const settings = {
  blockedAttributes: new Set<string>(),
  mostElements: 25,
  mostProfileBytes: 1e6,
  isOfTexts: (group: string) => group === 'texts',
};

const originOf = (at: number) => ({ id: `r${at}`, ws, at, op: 'test' });

const trackIn = ({ claims, knownToTrack, save }: PeopleInMemory) => ({
  /** What became of each entry. */
  trackAll(at: number, body: TrackBody) {
    const made = plan({
      requests: [prepare({ ...originOf(at), body })],
      known: knownToTrack(),
      reading,
      settingsOf: () => settings,
      happenedAt: () => at,
    });
    if (!made.ready) throw new Error(`needs ${JSON.stringify([...made.needs.fates])}`);
    for (const { key, ...claim } of [...made.claims, ...made.reached]) claims.set(key, claim);
    save(made.created, made.changed, made.contacts);
    return Object.values(made.results[0]?.entries ?? {}).flat();
  },

  subscribe(at: number, ...statements: NamedStatement[]): void {
    const requests = [{ ...originOf(at), statements }];
    const made = planSubscriptions({ requests, known: knownToTrack() });
    if (!made.ready) throw new Error('needs more');
    save([], made.changed, made.contacts);
  },
});

/** `nowOf`: when identity requests are applied; at once without it. */
export const createWorldInMemory = (nowOf = (at: number): number => at) => {
  const stored = createPeopleInMemory();
  const { contacts, profiles, claims, fates } = stored;
  const tracking = trackIn(stored);

  return {
    contacts,
    profiles,
    claims,
    fates,
    ...tracking,
    track(at: number, ...attributes: { [name: string]: Value }[]): void {
      tracking.trackAll(at, { attributes });
    },
    identity(at: number, ...entries: IdentityEntry[]): void {
      applyIdentity(stored, [{ ...originOf(at), lists: { all: entries } }], nowOf(at));
    },
    /** Requests of one batch, and what became of their entries. */
    identityBatch(now: Stamp, ...batch: [at: Stamp, entry: IdentityEntry][]): (string | undefined)[] {
      const requests = batch.map(([at, entry]) => ({ ...originOf(at), lists: { all: [entry] } }));
      return applyIdentity(stored, requests, now).outcomes.flatMap(({ entries }) => entries.all);
    },

    /** The states that count for a person. */
    statesOf(who: Identifier): Record<string, ConsentState | null> {
      const claim = claims.get(identityKey(ws, who));
      const profile = profiles.get(claim?.profile ?? '');
      if (!profile) throw new Error(`no person is ${JSON.stringify(who)}`);
      return Object.fromEntries(statesOf(profile, contacts).map(({ k, v }) => [k, v]));
    },

    emailOf(who: Identifier): string | undefined {
      const v = profiles.get(claims.get(identityKey(ws, who))?.profile ?? '')?.fields.email?.v;
      return typeof v === 'string' ? v : undefined;
    },

    /** The state of the last statement about a contact. */
    stateOfContact(by: 'email' | 'phone', name: string, k: string): ConsentState | null | undefined {
      return contacts.get(contactKey(ws, by, name))?.find((one) => one.k === k && !one.gone)?.v;
    },
  };
};
