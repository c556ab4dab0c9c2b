/** People in memory, with everything that is stored of them, and all of it for the rules to read. */
import {
  type ChangedProfile,
  type Consent,
  type ContactWrite,
  contactKeysOf,
  type Fate,
  type Holder,
  type IdentityClaim,
  type IdentityPlan,
  type IdentityRequest,
  identityKey,
  type Profile,
  planIdentity,
  planning,
  type Stamp,
  type TrackEntry,
  withEnding,
  withKeptOf,
} from '@roster/profile';

export const demoWorkspace = 'demo';

/** The plan of tracking in one go: the worker lets other work on in between. */
export const plan = <Event extends TrackEntry, Purchase extends TrackEntry>(
  input: Parameters<typeof planning<Event, Purchase>>[0],
) => {
  const work = planning(input);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
};

/** Answers every key: a missing one has a default. */
class Complete<Value> extends Map<string, Value> {
  constructor(
    entries: Iterable<[string, Value]>,
    private readonly missing: (key: string) => Value,
  ) {
    super(entries);
  }
  override get(key: string): Value {
    return super.get(key) ?? this.missing(key);
  }
  override has(): boolean {
    return true;
  }
}

interface EventRow {
  profile: string;
  token: string;
  at: Stamp;
}

const byChange = (a: Holder, b: Holder): number => b.updated_at - a.updated_at || (a._id < b._id ? -1 : 1);

/** Events by person. */
const createRows = (profiles: ReadonlyMap<string, Profile>) => {
  const rows: EventRow[] = [];

  const rowsOf = (id: string): EventRow[] => {
    const ids = new Set([id, ...(profiles.get(id)?.absorbed ?? [])]);
    return rows.filter(({ profile }) => ids.has(profile));
  };

  return {
    rows,
    rowsOf,
    lastBy: (id: string): Stamp => Math.max(0, ...rowsOf(id).map(({ at }) => at)),
  };
};

export const createPeopleInMemory = () => {
  const profiles = new Map<string, Profile>();
  const claims = new Map<string, IdentityClaim>();
  const contacts = new Map<string, readonly Consent[]>();
  const fates = new Map<string, Fate[]>();
  const { rows, rowsOf, lastBy } = createRows(profiles);

  const merged = (): Map<string, string> =>
    new Map(
      [...profiles.values()].flatMap(({ _id, absorbed = [] }) =>
        absorbed.map((id): [string, string] => [identityKey(demoWorkspace, { by: 'service_id', id }), _id]),
      ),
    );

  const holdersOf = (key: string): Holder[] =>
    [...profiles.values()].filter((one) => contactKeysOf(one).includes(key)).sort(byChange);

  const known = () => ({
    profiles: new Complete<Profile | undefined>(profiles, () => undefined),
    claims,
    unloaded: new Set<string>(),
    merged: merged(),
    activity: new Complete([], lastBy),
    contacts: new Complete(contacts, () => []),
    fates: new Complete(fates, () => []),
  });

  /** As in the store: leavers get the late statements before a contact is forgotten. */
  const keepForLeavers = (key: string): void => {
    for (const [id, one] of profiles) {
      const consents = withKeptOf(one, key, contacts.get(key) ?? []);
      if (consents) profiles.set(id, { ...one, consents });
    }
  };

  return {
    profiles,
    claims,
    contacts,
    fates,
    rows,
    rowsOf,

    knownToTrack: () => ({
      ...known(),
      listed: profiles,
      bytes: new Map<string, number>(),
    }),

    knownToIdentity: () => ({
      ...known(),
      holders: new Complete([], holdersOf),
      whole: new Set(profiles.keys()),
    }),

    save(made: readonly Profile[], changed: readonly ChangedProfile[], said: readonly ContactWrite[]): void {
      for (const profile of made) profiles.set(profile._id, profile);
      for (const { after } of changed) profiles.set(after._id, after);
      for (const { key, consents, isErased } of said) {
        if (isErased) keepForLeavers(key);
        contacts.set(key, consents);
      }
    },
  };
};

export type PeopleInMemory = ReturnType<typeof createPeopleInMemory>;

/** Applies identity requests as their worker does. Returns what it has written. */
export const applyIdentity = (
  stored: PeopleInMemory,
  requests: readonly IdentityRequest[],
  now: Stamp,
): Extract<IdentityPlan, { ready: true }> => {
  const { profiles, claims, fates, save } = stored;
  const made = planIdentity({ requests, time: () => undefined, now, known: stored.knownToIdentity() });
  if (!made.ready) throw new Error('everything is known');
  for (const id of made.removed) profiles.delete(id);
  for (const key of made.claims.dropped) claims.delete(key);
  for (const { key, ...moved } of made.claims.moved)
    claims.set(key, { at: claims.get(key)?.at ?? now, ...moved });
  for (const { key, profile, at } of made.claims.added) claims.set(key, { profile, at });
  for (const { until = now, ...ending } of made.tombstones)
    fates.set(ending.key, withEnding(fates.get(ending.key) ?? [], { ...ending, at: until }));
  save(made.created, made.changed, made.contacts);
  return made;
};
