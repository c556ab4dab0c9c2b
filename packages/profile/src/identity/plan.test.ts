import { createWorldInMemory } from '@roster/testkit';
import { identityKey } from '../find/identifier.ts';
import { newProfile, type Profile } from '../profile.ts';
import type { IdentityKnown } from './known.ts';
import { type IdentityPlan, planIdentity } from './plan.ts';
import type { IdentityEntry, NamedPerson } from './request.ts';

const now = 1000;

interface Person {
  id: string;
  external_id?: string;
  former_ids?: string[];
  alias?: string;
  email_key?: string;
  at?: number;
}

const profileOf = ({ id, alias, at = 1, ...rest }: Person): Profile => ({
  ...newProfile(id, 'demo', at),
  ...rest,
  ...(alias !== undefined && { aliases: [{ label: 'web', name: alias }] }),
});

const external = (id: string): string => identityKey('demo', { by: 'external_id', id });
const alias = (name: string): string => identityKey('demo', { by: 'user_alias', label: 'web', name });
const email = (address: string): string => identityKey('demo', { by: 'email', email: address });

const keysOf = ({ external_id, former_ids = [], alias: name }: Person): string[] => [
  ...(external_id === undefined ? [] : [external(external_id)]),
  ...former_ids.map(external),
  ...(name === undefined ? [] : [alias(name)]),
];

/** Everything that a plan can need is known. */
const knowing = (people: readonly Person[], more: Partial<IdentityKnown> = {}): IdentityKnown => {
  const profiles = people.map(profileOf);
  const addresses = [...new Set(people.flatMap(({ email_key }) => email_key ?? []))];
  return {
    claims: new Map(
      people.flatMap((person) =>
        keysOf(person).map((key) => [key, { profile: person.id, at: person.at ?? 1 }]),
      ),
    ),
    profiles: new Map(profiles.map((profile) => [profile._id, profile])),
    whole: new Set(profiles.map(({ _id }) => _id)),
    unloaded: new Set(),
    holders: new Map(
      addresses.map((one) => [email(one), profiles.filter(({ email_key }) => email_key === one)]),
    ),
    contacts: new Map(addresses.map((one) => [email(one), []])),
    activity: new Map(people.map(({ id }) => [id, 0])),
    fates: new Map(),
    merged: new Map(),
    ...more,
  };
};

const planned = (known: IdentityKnown, ...entries: IdentityEntry[]): IdentityPlan =>
  planIdentity({
    requests: [{ id: 'r1', ws: 'demo', at: 500, lists: { list: entries } }],
    known,
    now,
    time: () => undefined,
  });

const ready = (plan: IdentityPlan) => {
  if (!plan.ready)
    throw new Error(`needs ${JSON.stringify(plan.needs, (_, v) => (v instanceof Set ? [...v] : v))}`);
  return plan;
};
const resultsOf = (plan: IdentityPlan): unknown => ready(plan).outcomes[0]?.entries.list;

const byExternal = (id: string): NamedPerson => ({ who: { by: 'external_id', id } });
const byAlias = (name: string): NamedPerson => ({ who: { by: 'user_alias', label: 'web', name } });
const byEmail = (address: string, prioritization: NamedPerson['prioritization'] = []): NamedPerson => ({
  who: { by: 'email', email: address },
  prioritization,
});
const merge = (away: NamedPerson, kept: NamedPerson): IdentityEntry => ({ do: 'merge', away, kept });
const identify = (external_id: string, named: NamedPerson): IdentityEntry => ({
  do: 'identify',
  external_id,
  named,
  merges: true,
});
const erase = (named: NamedPerson): IdentityEntry => ({ do: 'delete', named });
const newAlias = (name: string, external_id?: string): IdentityEntry => ({
  ...{ do: 'alias_new', label: 'web', name },
  ...(external_id !== undefined && { external_id }),
});
const renamed = (from: string, to: string): IdentityEntry => ({ do: 'alias_update', label: 'web', from, to });

describe('an entry without effect has a reason', () => {
  const people: Person[] = [
    { id: 'a', external_id: 'ada', former_ids: ['old'], alias: 'x' },
    { id: 'b', external_id: 'bob', email_key: 'e' },
    { id: 'c', alias: 'y', email_key: 'e' },
  ];
  it.each<[string, IdentityEntry, string]>([
    ['merge by an unknown id', merge(byExternal('unknown'), byExternal('ada')), 'ignored:no_such_user'],
    ['merge into an unknown id', merge(byExternal('ada'), byExternal('unknown')), 'ignored:no_such_user'],
    ['merge of one into themselves', merge(byExternal('old'), byAlias('x')), 'ignored:same_user'],
    ['merge by an address of two', merge(byEmail('e'), byExternal('ada')), 'ignored:more_than_one_match'],
    ['merge into an address of two', merge(byExternal('ada'), byEmail('e')), 'ignored:more_than_one_match'],
    ['identify by an address of two', identify('new', byEmail('e')), 'ignored:more_than_one_match'],
    [
      'identify of another person',
      identify('ada', byEmail('e', ['identified'])),
      'ignored:already_identified',
    ],
    ['identify of the same', identify('ada', byAlias('x')), 'ignored:same_user'],
    ['identify with another name', identify('ada', byAlias('y')), 'ignored:label_taken'],
    ['identify by an unknown alias', identify('ada', byAlias('z')), 'ignored:no_such_user'],
    ['delete by an address of two', erase(byEmail('e')), 'ignored:more_than_one_match'],
    ['delete by an unknown alias', erase(byAlias('z')), 'ignored:no_such_user'],
    ['a taken alias', newAlias('x'), 'refused:name_taken'],
    ['another name', newAlias('z', 'ada'), 'ignored:label_taken'],
    ['an alias for an unknown id', newAlias('z', 'unknown'), 'ignored:no_such_user'],
    ['a new name of an unknown alias', renamed('z', 'w'), 'ignored:no_such_user'],
    ['a new name that is taken', renamed('x', 'y'), 'refused:name_taken'],
    ['rename to a former id', { do: 'rename', from: 'bob', to: 'old' }, 'ignored:id_taken'],
    ['rename of a former id', { do: 'rename', from: 'old', to: 'new' }, 'ignored:not_primary'],
    ['rename to itself', { do: 'rename', from: 'bob', to: 'bob' }, 'ignored:same_id'],
    ['removal of a primary id', { do: 'remove', external_id: 'ada' }, 'ignored:primary'],
    ['removal of nothing', { do: 'remove', external_id: 'unknown' }, 'ignored:no_such_user'],
  ])('%s', (_, entry, reason) => {
    const plan = planned(knowing(people), entry);
    expect(resultsOf(plan)).toEqual([reason]);
    expect(ready(plan)).toMatchObject({
      created: [],
      changed: [],
      removed: [],
      claims: { added: [], moved: [], dropped: [] },
      tombstones: [],
      sweeps: [],
    });
  });
});

describe('a plan', () => {
  it('asks for what it does not know, all at once', () => {
    const known = knowing([
      { id: 'a', external_id: 'ada' },
      { id: 'b', external_id: 'bob' },
    ]);
    const plan = planned({ ...known, profiles: new Map() }, merge(byExternal('ada'), byExternal('bob')));
    expect(plan).toMatchObject({ ready: false, needs: { profiles: new Set(['a', 'b']) } });
  });

  it('asks for activity only of the people that it chooses from', () => {
    const known = knowing([
      { id: 'a', external_id: 'ada', email_key: 'e' },
      { id: 'b', email_key: 'e' },
      { id: 'c', email_key: 'e' },
    ]);
    const entry = identify('new', byEmail('e', ['unidentified', 'most_recently_updated']));
    const plan = planned({ ...known, activity: new Map() }, entry);
    expect(plan).toMatchObject({ ready: false, needs: { activity: new Set(['b', 'c']) } });
  });

  it('shortens a chain that it makes itself', () => {
    const known = knowing(['a', 'b', 'c', 'd'].map((id) => ({ id, external_id: id })));
    const chain = ['a', 'b', 'c'].map((id, n) => merge(byExternal(id), byExternal('bcd'[n] ?? '')));
    const { tombstones, changed, removed } = ready(planned(known, ...chain));
    expect(removed).toEqual(['a', 'b', 'c']);
    expect(changed.map(({ after }) => [after._id, after.absorbed])).toEqual([['d', ['c', 'b', 'a']]]);
    const led = (forGood: boolean) => tombstones.filter((one) => (one.forGood ?? false) === forGood);
    expect(led(true).map(({ to }) => to)).toEqual(['d', 'd', 'd']);
    expect(led(false).map(({ key, to }) => [key, to])).toEqual(
      ['a', 'b', 'c'].map((id) => [external(id), id]),
    );
  });

  it('leads no identifier to a person that it deletes as well', () => {
    const known = knowing(['a', 'b'].map((id) => ({ id, external_id: id })));
    const plan = planned(known, merge(byExternal('a'), byExternal('b')), erase(byExternal('b')));
    const { tombstones, sweeps } = ready(plan);
    expect(tombstones.every(({ to }) => to === undefined)).toBe(true);
    expect(sweeps).toMatchObject([{ profiles: ['b', 'a'] }]);
  });

  it('writes nothing for a person that it creates and deletes', () => {
    expect(ready(planned(knowing([]), newAlias('x'), erase(byAlias('x'))))).toMatchObject({
      created: [],
      removed: [],
      claims: { added: [], moved: [], dropped: [] },
    });
  });
});

describe('a request that comes late', () => {
  const fates = (to?: string): IdentityKnown['fates'] =>
    new Map([[external('ada'), [{ at: 600, ...(to !== undefined && { to }) }]]]);
  const eraseAda = erase(byExternal('ada'));

  it('does not touch the next owner of the identifier after a deletion', () => {
    const known = knowing([{ id: 'a', external_id: 'ada', at: 700 }], { fates: fates() });
    expect(resultsOf(planned(known, eraseAda))).toEqual(['ignored:deleted']);
  });

  it('does not touch the next owner after a merge, and does not follow the merge', () => {
    const known = knowing([{ id: 'a', external_id: 'ada', at: 700 }, { id: 'b' }], { fates: fates('b') });
    expect(resultsOf(planned(known, eraseAda))).toEqual(['ignored:no_such_user']);
    expect(resultsOf(planned({ ...known, claims: new Map() }, eraseAda))).toEqual(['ignored:no_such_user']);
  });

  it('finds the owner that had the identifier all along', () => {
    const known = knowing([{ id: 'a', external_id: 'ada', at: 400 }], { fates: fates() });
    expect(resultsOf(planned(known, eraseAda))).toEqual(['updated']);
  });

  it('does not bring back an alias that was deleted', () => {
    const known = knowing([], { fates: new Map([[alias('x'), [{ at: 600 }]]]) });
    expect(resultsOf(planned(known, newAlias('x')))).toEqual(['ignored:deleted']);
  });
});

describe('a person who began after the request was accepted', () => {
  const later = { id: 'later', external_id: 'ada', at: 600 };
  const shared = { email_key: 'e@example.com' };

  it.each<[as: string, entry: IdentityEntry]>([
    ['the kept one of a merge', merge(byEmail('e@example.com'), byExternal('ada'))],
    ['the other one', merge(byExternal('ada'), byEmail('e@example.com'))],
    ['one who is deleted', erase(byExternal('ada'))],
  ])('is not found as %s', (_, entry) => {
    const known = knowing([later, { id: 'old', ...shared }]);
    expect(resultsOf(planned(known, entry))).toEqual(['ignored:no_such_user']);
  });

  it('is found when the claim is older: the request that comes late would have created the person', () => {
    const known = knowing([later, { id: 'old', ...shared }]);
    const claims = new Map([...known.claims, [external('ada'), { profile: 'later', at: 400 }] as const]);
    expect(
      resultsOf(planned({ ...known, claims }, merge(byEmail('e@example.com'), byExternal('ada')))),
    ).toEqual(['updated']);
  });

  it('is among those who share the contact by which a visitor is identified as the person', () => {
    const people = [
      { ...later, ...shared, at: 600 },
      { id: 'old', ...shared },
    ];
    const entry = identify('ada', byEmail('e@example.com', ['identified']));
    expect(resultsOf(planned(knowing(people), entry))).toEqual(['ignored:same_user']);
  });
});

it.each([true, false])(
  'identifies a visitor as a person who began after the request: what was said of the person was not said of the contact that comes over, merging: %p',
  (merges) => {
    let now = 1_000;
    const world = createWorldInMemory(() => now++);
    const user_alias = { alias_label: 'web', alias_name: 'v' };
    world.track(1, { user_alias, _update_existing_only: false, email: 'v@x.co' });
    world.track(2, { external_id: 'eve', email: 'v@x.co' });
    world.track(6, { external_id: 'ada', email_subscribe: 'opted_in' });
    world.identity(5, { do: 'identify', external_id: 'ada', named: byAlias('v'), merges });
    expect(world.emailOf({ by: 'external_id', id: 'ada' })).toBe('v@x.co');
    expect(world.statesOf({ by: 'external_id', id: 'ada' })).toEqual({ email: 'opted_in' });
    expect(world.statesOf({ by: 'external_id', id: 'eve' })).toEqual({});
  },
);

it('identifies a visitor by an id that a deletion has freed, though the deletion was accepted later', () => {
  const known = knowing([{ id: 'visitor', alias: 'a' }], {
    fates: new Map([[external('ada'), [{ at: 600 }]]]),
  });
  const plan = ready(planned(known, identify('ada', byAlias('a'))));
  expect(resultsOf(plan)).toEqual(['updated']);
  expect(plan.changed.map(({ after }) => after.external_id)).toEqual(['ada']);
});
