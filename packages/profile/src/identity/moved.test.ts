/** Identifiers that change hands, and the requests by them that come late: identity plans first, then tracking plans with what it left. */

import type { IdentityClaim } from '../find/claim.ts';
import { type Fate, withEnding } from '../find/fate.ts';
import { identityKey } from '../find/identifier.ts';
import { prepare, type TrackBody, type TrackEntry } from '../plan/item.ts';
import { nothingKnown } from '../plan/known.ts';
import { plan } from '../plan/plan.ts';
import { newProfile, type Profile, type Stamp } from '../profile.ts';
import type { Reading } from '../reading/change.ts';
import type { IdentityKnown } from './known.ts';
import { planIdentity } from './plan.ts';
import type { IdentityEntry, NamedPerson } from './request.ts';

const external = (id: string): string => identityKey('demo', { by: 'external_id', id });
const alias = (name: string): string => identityKey('demo', { by: 'user_alias', label: 'web', name });
const byExternal = (id: string): NamedPerson => ({ who: { by: 'external_id', id } });
const byAlias = (name: string): NamedPerson => ({ who: { by: 'user_alias', label: 'web', name } });

interface Person {
  id: string;
  external_id?: string;
  alias?: string;
  first_name?: string;
  /** Since when they have it all. */
  at?: Stamp;
}

const profileOf = ({ id, external_id, alias: name, first_name, at = 1 }: Person): Profile => ({
  ...newProfile(id, 'demo', at),
  ...(external_id !== undefined && { external_id }),
  ...(name !== undefined && { aliases: [{ label: 'web', name }] }),
  ...(first_name !== undefined && { fields: { first_name: { v: first_name, at } } }),
});

const reading: Reading = {
  time: () => undefined,
  country: () => undefined,
  timeZone: () => undefined,
  language: () => undefined,
};

/** Everything that can be asked for, as it would be stored. */
const createStored = (people: readonly Person[]) => {
  const profiles = new Map(people.map((one) => [one.id, profileOf(one)]));
  const claims = new Map<string, IdentityClaim>();
  for (const { id, external_id, alias: name, at = 1 } of people) {
    if (external_id !== undefined) claims.set(external(external_id), { profile: id, at });
    if (name !== undefined) claims.set(alias(name), { profile: id, at });
  }
  const fates = new Map<string, Fate[]>();
  const nothing = { get: () => [], has: () => true } as unknown as ReadonlyMap<string, never[]>;
  const fatesOf = Object.assign(new Map<string, Fate[]>(), { get: (key: string) => fates.get(key) ?? [] });

  return {
    claims,
    profile: (id: string) => profiles.get(id),
    forget: () => fates.clear(),

    identity(now: Stamp, ...requests: [at: Stamp, entry: IdentityEntry][]): unknown[] {
      const known: IdentityKnown = {
        claims,
        profiles: Object.assign(new Map(), { has: () => true, get: (id: string) => profiles.get(id) }),
        whole: Object.assign(new Set<string>(), { has: () => true }),
        unloaded: new Set(),
        holders: nothing,
        contacts: nothing,
        activity: new Map(),
        merged: new Map(),
        fates: fatesOf,
      };
      const list = requests.map(([at, entry]) => ({
        id: `r${at}`,
        ws: 'demo',
        at,
        lists: { list: [entry] },
      }));
      const made = planIdentity({ requests: list, known, now, time: reading.time });
      if (!made.ready) throw new Error('needs more');
      for (const profile of [...made.created, ...made.changed.map(({ after }) => after)])
        profiles.set(profile._id, profile);
      for (const id of made.removed) profiles.delete(id);
      for (const key of made.claims.dropped) claims.delete(key);
      for (const { key, profile, at } of made.claims.added) claims.set(key, { profile, at });
      for (const { key, ...moved } of made.claims.moved)
        claims.set(key, { ...(claims.get(key) as IdentityClaim), ...moved });
      for (const { until = now, ...ending } of made.tombstones)
        fates.set(ending.key, withEnding(fates.get(ending.key) ?? [], { ...ending, at: until }));
      return made.outcomes.flatMap(({ entries }) => entries.list);
    },

    track(at: Stamp, body: TrackBody<TrackEntry, TrackEntry>): unknown {
      const made = plan({
        requests: [prepare({ id: `r${at}`, ws: 'demo', at, body })],
        known: {
          ...nothingKnown,
          claims,
          profiles,
          absent: new Set(['a', 'b', 'k', 'p', 'u'].filter((id) => !profiles.has(id))),
          contacts: nothing,
          fates: fatesOf,
        },
        reading,
        settingsOf: () => ({
          blockedAttributes: new Set<string>(),
          mostElements: 25,
          mostProfileBytes: 1_000_000,
        }),
        happenedAt: () => 0,
      });
      if (!made.ready) throw new Error('needs more');
      for (const { after } of made.changed) profiles.set(after._id, after);
      for (const { key, at: since } of made.reached)
        claims.set(key, { ...(claims.get(key) as IdentityClaim), at: since });
      return Object.values(made.results[0]?.entries ?? {}).flat();
    },
  };
};

const web = (alias_name: string) => ({ user_alias: { alias_label: 'web', alias_name } });
const named = (who: object, first_name: string) => ({ attributes: [{ ...who, first_name }] });
const merge = (away: NamedPerson, kept: NamedPerson): IdentityEntry => ({ do: 'merge', away, kept });
const identify = (external_id: string, name: NamedPerson, merges = false): IdentityEntry => ({
  do: 'identify',
  external_id,
  named: name,
  merges,
});
const nameOf = (stored: ReturnType<typeof createStored>, id: string) =>
  stored.profile(id)?.fields.first_name?.v;

describe('a late request by an identifier that moved', () => {
  it('is dropped when only the alias was taken over', () => {
    const stored = createStored([
      { id: 'k', external_id: 'kay' },
      { id: 'u', alias: 'x' },
    ]);
    expect(stored.identity(100, [50, identify('kay', byAlias('x'))])).toEqual(['updated']);
    expect(stored.track(40, { ...named(web('x'), 'Anon'), events: [web('x')] })).toEqual([
      'ignored:deleted',
      'ignored:deleted',
    ]);
    expect(stored.track(101, named(web('x'), 'Kay'))).toEqual(['updated']);
    expect(nameOf(stored, 'k')).toBe('Kay');
  });

  it('leaves the own values of the kept person', () => {
    const stored = createStored([
      { id: 'k', alias: 'x', first_name: 'Kay' },
      { id: 'a', external_id: 'ada' },
    ]);
    stored.identity(100, [50, merge(byExternal('ada'), byAlias('x'))]);
    const late = { attributes: [{ external_id: 'ada', first_name: 'Ada', last_name: 'Byron' }] };
    expect(stored.track(40, late)).toEqual(['updated']);
    expect(stored.profile('k')?.fields).toMatchObject({
      first_name: { v: 'Kay' },
      last_name: { v: 'Byron', from: ['a'] },
    });
    stored.track(101, named({ external_id: 'ada' }, 'Ada'));
    expect(nameOf(stored, 'k')).toBe('Ada');
  });

  it.each([
    ['in two batches', [[100], [200]]],
    ['in one', [[200]]],
  ])('is about the first owner, though the identifier moved twice, %s', (_, batches) => {
    const stored = createStored([
      { id: 'a', alias: 'x' },
      { id: 'b', external_id: 'bob', first_name: 'Bob', at: 2 },
      { id: 'k', external_id: 'kay' },
    ]);
    const entries: [Stamp, IdentityEntry][] = [
      [50, merge(byAlias('x'), byExternal('bob'))],
      [60, merge(byExternal('bob'), byExternal('kay'))],
    ];
    if (batches.length === 1) stored.identity(200, ...entries);
    else for (const [index, entry] of entries.entries()) stored.identity([100, 200][index] ?? 0, entry);
    expect(stored.track(40, named(web('x'), 'Anon'))).toEqual(['updated']);
    expect(nameOf(stored, 'k')).toBe('Bob');
  });

  it('is dropped when the first owner was left behind before a merge of the next owner', () => {
    const stored = createStored([
      { id: 'u', alias: 'x' },
      { id: 'b', external_id: 'bob' },
      { id: 'k', external_id: 'kay' },
    ]);
    stored.identity(
      200,
      [50, identify('bob', byAlias('x'))],
      [60, merge(byExternal('bob'), byExternal('kay'))],
    );
    expect(stored.track(40, { events: [web('x')] })).toEqual(['ignored:deleted']);
  });

  it('is about the first owner, though the next owner was deleted by a request from before their claim', () => {
    const stored = createStored([
      { id: 'a', alias: 'x' },
      { id: 'b', external_id: 'bob' },
      { id: 'k', external_id: 'kay', alias: 'y' },
    ]);
    stored.identity(100, [50, merge(byAlias('x'), byExternal('kay'))]);
    stored.identity(110, [55, { do: 'alias_new', label: 'web', name: 'x', external_id: 'bob' }]);
    expect(stored.identity(120, [60, { do: 'delete', named: byExternal('bob') }])).toEqual(['updated']);
    expect(stored.track(40, named(web('x'), 'Anon'))).toEqual(['updated']);
    expect(nameOf(stored, 'k')).toBe('Anon');
  });

  it('is dropped when the first owner was merged into a person who was deleted by an older request', () => {
    const stored = createStored([
      { id: 'a', alias: 'x' },
      { id: 'k', external_id: 'kay' },
    ]);
    stored.identity(100, [50, merge(byAlias('x'), byExternal('kay'))]);
    stored.identity(110, [60, { do: 'delete', named: byExternal('kay') }]);
    expect(stored.track(40, { events: [web('x')] })).toEqual(['ignored:deleted']);
    expect(stored.track(61, { events: [web('x')] })).toEqual(['ignored:no_such_user']);
  });

  it('is about the next owner when the first one was deleted before, and creates no second person', () => {
    const stored = createStored([
      { id: 'a', external_id: 'ada' },
      { id: 'k', external_id: 'kay' },
      { id: 'u', alias: 'x', at: 90 },
    ]);
    stored.identity(100, [20, merge(byExternal('ada'), byExternal('kay'))]);
    stored.identity(110, [30, { do: 'remove', external_id: 'ada' }]);
    stored.identity(120, [35, { do: 'delete', named: byExternal('kay') }]);
    stored.identity(130, [60, identify('ada', byAlias('x'))]);
    expect(stored.track(40, named({ external_id: 'ada' }, 'Ada'))).toEqual(['updated']);
    expect(nameOf(stored, 'u')).toBe('Ada');
  });

  it('finds no person when the identifier had no owner yet, and creates none', () => {
    const stored = createStored([
      { id: 'k', external_id: 'kay' },
      { id: 'u', alias: 'x', at: 30 },
    ]);
    stored.identity(100, [50, merge(byAlias('x'), byExternal('kay'))]);
    expect(stored.track(20, { events: [web('x')] })).toEqual(['ignored:no_such_user']);
    const creating = { attributes: [{ ...web('x'), _update_existing_only: false, first_name: 'Anon' }] };
    expect(stored.track(21, creating)).toEqual(['updated']);
    // In time, that request would have created the person.
    expect(stored.track(22, { events: [web('x')] })).toEqual(['updated']);
  });

  it('finds the current owner when the fates are forgotten', () => {
    const stored = createStored([
      { id: 'k', alias: 'x', first_name: 'Kay' },
      { id: 'a', external_id: 'ada' },
    ]);
    stored.identity(100, [50, merge(byExternal('ada'), byAlias('x'))]);
    stored.forget();
    expect(stored.track(40, named({ external_id: 'ada' }, 'Ada'))).toEqual(['updated']);
    expect(nameOf(stored, 'k')).toBe('Ada');
  });

  it('finds the current owner in an identity request', () => {
    const stored = createStored([
      { id: 'k', external_id: 'kay' },
      { id: 'b', external_id: 'bob' },
      { id: 'u', alias: 'x', at: 30 },
    ]);
    stored.identity(100, [50, identify('kay', byAlias('x'))]);
    const merged = stored.identity(
      200,
      [35, merge(byAlias('x'), byExternal('bob'))],
      [40, { do: 'delete', named: byAlias('x') }],
    );
    expect(merged).toEqual(['updated', 'updated']);
  });
});

describe('an identifier that is free for a moment within a batch', () => {
  it('leads to its next owner only from then on', () => {
    const stored = createStored([
      { id: 'p', external_id: 'ada' },
      { id: 'u', alias: 'x' },
    ]);
    const made = stored.identity(
      100,
      [50, { do: 'delete', named: byExternal('ada') }],
      [60, identify('ada', byAlias('x'))],
    );
    expect(made).toEqual(['updated', 'updated']);
    expect(stored.claims.get(external('ada'))).toEqual({ profile: 'u', at: 100 });
    expect(stored.track(40, { events: [{ external_id: 'ada' }] })).toEqual(['ignored:deleted']);
    expect(stored.identity(110, [40, { do: 'delete', named: byExternal('ada') }])).toEqual([
      'ignored:deleted',
    ]);
    expect(stored.track(120, { events: [{ external_id: 'ada' }] })).toEqual(['updated']);
  });

  it('does not lead to a deleted person after the next move', () => {
    const stored = createStored([
      { id: 'p', external_id: 'ada' },
      { id: 'u', alias: 'x' },
      { id: 'k', alias: 'y' },
    ]);
    stored.identity(
      100,
      [50, { do: 'delete', named: byExternal('ada') }],
      [60, identify('ada', byAlias('x'))],
      [70, merge(byExternal('ada'), byAlias('y'))],
    );
    expect(stored.track(40, { events: [{ external_id: 'ada' }] })).toEqual(['ignored:deleted']);
  });
});

describe('after a deletion that is applied late', () => {
  const people = [
    { id: 'p', external_id: 'ada' },
    { id: 'k', alias: 'y' },
  ];
  const deletion = (name: NamedPerson): IdentityEntry => ({ do: 'delete', named: name });
  const seen = (at: Stamp, stored: ReturnType<typeof createStored>) =>
    stored.track(at, { events: [{ external_id: 'ada' }] });

  it('a request accepted later is about a new person, a request accepted before is dropped', () => {
    const stored = createStored(people);
    stored.identity(100, [50, deletion(byExternal('ada'))]);
    expect([seen(40, stored), seen(60, stored)]).toEqual([['ignored:deleted'], ['created']]);
  });

  it('a request that was accepted later and applied before it takes the requests before that one along', () => {
    const stored = createStored([{ id: 'p', external_id: 'ada' }]);
    stored.track(60, named({ external_id: 'ada' }, 'Ada'));
    stored.identity(100, [50, deletion(byExternal('ada'))]);
    expect([seen(55, stored), seen(65, stored)]).toEqual([['ignored:deleted'], ['created']]);
  });

  it('leaves alone the next owner of its identifier', () => {
    const stored = createStored([{ id: 'p', external_id: 'ada', at: 60 }]);
    expect(stored.identity(100, [50, deletion(byExternal('ada'))])).toEqual(['ignored:no_such_user']);
    expect(seen(70, stored)).toEqual(['updated']);
  });

  it.each([
    ['in the same batch', true],
    ['in a batch before', false],
  ])('removes what is left of a person who was merged into the deleted one %s', (_title, together) => {
    const stored = createStored(people);
    const merging: [Stamp, IdentityEntry] = [40, merge(byExternal('ada'), byAlias('y'))];
    const deleting: [Stamp, IdentityEntry] = [50, deletion(byAlias('y'))];
    if (together) stored.identity(100, merging, deleting);
    else {
      stored.identity(100, merging);
      stored.identity(110, deleting);
    }
    expect([seen(45, stored), seen(60, stored)]).toEqual([['ignored:deleted'], ['created']]);
  });

  it('the later one of two deletions in a batch counts', () => {
    const stored = createStored([...people, { id: 'u', alias: 'x' }]);
    stored.identity(
      100,
      [50, deletion(byExternal('ada'))],
      [60, identify('ada', byAlias('x'))],
      [70, deletion(byExternal('ada'))],
    );
    expect([seen(65, stored), seen(75, stored)]).toEqual([['ignored:deleted'], ['created']]);
  });

  it('identity requests find no person, in a batch of their own too', () => {
    const stored = createStored([...people, { id: 'u', alias: 'x' }]);
    stored.identity(100, [50, deletion(byExternal('ada'))]);
    expect(stored.identity(110, [60, identify('ada', byAlias('x'))])).toEqual(['updated']);
    expect(stored.profile('u')?.external_id).toBe('ada');
    expect(stored.identity(120, [45, merge(byExternal('ada'), byAlias('y'))])).toEqual(['ignored:deleted']);
  });
});
