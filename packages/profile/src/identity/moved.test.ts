/** Identifiers that change hands, and the requests by them that come late: identity plans first, then tracking plans with what it left. */

import { createWorldInMemory } from '@roster/testkit';
import { identityKey } from '../find/identifier.ts';
import { newProfile, type Stamp } from '../profile.ts';
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

const ada: Person = { id: 'a', external_id: 'ada' };
const bob: Person = { id: 'b', external_id: 'bob' };
const kay: Person = { id: 'k', external_id: 'kay' };
const visitor: Person = { id: 'u', alias: 'x' };
const kayAsVisitor: Person = { id: 'k', alias: 'x', first_name: 'Kay' };

const createStored = (people: readonly Person[]) => {
  const world = createWorldInMemory();
  for (const { id, external_id, alias: name, first_name, at = 1 } of people) {
    world.profiles.set(id, {
      ...newProfile(id, 'demo', at),
      ...(external_id !== undefined && { external_id }),
      ...(name !== undefined && { aliases: [{ label: 'web', name }] }),
      ...(first_name !== undefined && { fields: { first_name: { v: first_name, at } } }),
    });
    if (external_id !== undefined) world.claims.set(external(external_id), { profile: id, at });
    if (name !== undefined) world.claims.set(alias(name), { profile: id, at });
  }
  return {
    claims: world.claims,
    profile: (id: string) => world.profiles.get(id),
    forget: () => world.fates.clear(),
    identity: world.identityBatch,
    track: world.trackAll,
  };
};

const erase = (name: NamedPerson): IdentityEntry => ({ do: 'delete', named: name });
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
  it('leaves the own values of the kept person', () => {
    const stored = createStored([kayAsVisitor, ada]);
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
    ['in two batches', false],
    ['in one', true],
  ])('is about the first owner, though the identifier moved twice, %s', (_, isOneBatch) => {
    const stored = createStored([visitor, { ...bob, first_name: 'Bob', at: 2 }, kay]);
    const entries: [Stamp, IdentityEntry][] = [
      [50, merge(byAlias('x'), byExternal('bob'))],
      [60, merge(byExternal('bob'), byExternal('kay'))],
    ];
    if (isOneBatch) stored.identity(200, ...entries);
    else for (const [index, entry] of entries.entries()) stored.identity(100 * (index + 1), entry);
    expect(stored.track(40, named(web('x'), 'Anon'))).toEqual(['updated']);
    expect(nameOf(stored, 'k')).toBe('Bob');
  });

  it('is dropped when the first owner was left behind before a merge of the next owner', () => {
    const stored = createStored([visitor, bob, kay]);
    stored.identity(
      200,
      [50, identify('bob', byAlias('x'))],
      [60, merge(byExternal('bob'), byExternal('kay'))],
    );
    expect(stored.track(40, { events: [web('x')] })).toEqual(['ignored:deleted']);
  });

  it('is about the first owner, though the next owner was deleted by a request from before their claim', () => {
    const stored = createStored([visitor, bob, { ...kay, alias: 'y' }]);
    stored.identity(100, [50, merge(byAlias('x'), byExternal('kay'))]);
    stored.identity(110, [55, { do: 'alias_new', label: 'web', name: 'x', external_id: 'bob' }]);
    expect(stored.identity(120, [60, erase(byExternal('bob'))])).toEqual(['updated']);
    expect(stored.track(40, named(web('x'), 'Anon'))).toEqual(['updated']);
    expect(nameOf(stored, 'k')).toBe('Anon');
  });

  it('is dropped when the first owner was merged into a person who was deleted by an older request', () => {
    const stored = createStored([visitor, kay]);
    stored.identity(100, [50, merge(byAlias('x'), byExternal('kay'))]);
    stored.identity(110, [60, erase(byExternal('kay'))]);
    expect(stored.track(40, { events: [web('x')] })).toEqual(['ignored:deleted']);
    expect(stored.track(61, { events: [web('x')] })).toEqual(['ignored:no_such_user']);
  });

  it('is about the next owner when the first one was deleted before, and creates no second person', () => {
    const stored = createStored([ada, kay, { ...visitor, at: 90 }]);
    stored.identity(100, [20, merge(byExternal('ada'), byExternal('kay'))]);
    stored.identity(110, [30, { do: 'remove', external_id: 'ada' }]);
    stored.identity(120, [35, erase(byExternal('kay'))]);
    stored.identity(130, [60, identify('ada', byAlias('x'))]);
    expect(stored.track(40, named({ external_id: 'ada' }, 'Ada'))).toEqual(['updated']);
    expect(nameOf(stored, 'u')).toBe('Ada');
  });

  it('finds no person when the identifier had no owner yet, and creates none', () => {
    const stored = createStored([kay, { ...visitor, at: 30 }]);
    stored.identity(100, [50, merge(byAlias('x'), byExternal('kay'))]);
    expect(stored.track(20, { events: [web('x')] })).toEqual(['ignored:no_such_user']);
    const creating = { attributes: [{ ...web('x'), _update_existing_only: false, first_name: 'Anon' }] };
    expect(stored.track(21, creating)).toEqual(['updated']);
    // In time, that request would have created the person.
    expect(stored.track(22, { events: [web('x')] })).toEqual(['updated']);
  });

  it('finds the current owner when the fates are forgotten', () => {
    const stored = createStored([kayAsVisitor, ada]);
    stored.identity(100, [50, merge(byExternal('ada'), byAlias('x'))]);
    stored.forget();
    expect(stored.track(40, named({ external_id: 'ada' }, 'Ada'))).toEqual(['updated']);
    expect(nameOf(stored, 'k')).toBe('Ada');
  });

  it('finds the current owner in an identity request', () => {
    const stored = createStored([kay, bob, { ...visitor, at: 30 }]);
    stored.identity(100, [50, identify('kay', byAlias('x'))]);
    const merged = stored.identity(
      200,
      [35, merge(byAlias('x'), byExternal('bob'))],
      [40, erase(byAlias('x'))],
    );
    expect(merged).toEqual(['updated', 'updated']);
  });
});

describe('an identifier that is free for a moment within a batch', () => {
  it('leads to its next owner only from then on', () => {
    const stored = createStored([ada, visitor]);
    const made = stored.identity(100, [50, erase(byExternal('ada'))], [60, identify('ada', byAlias('x'))]);
    expect(made).toEqual(['updated', 'updated']);
    expect(stored.claims.get(external('ada'))).toEqual({ profile: 'u', at: 100 });
    expect(stored.track(40, { events: [{ external_id: 'ada' }] })).toEqual(['ignored:deleted']);
    expect(stored.identity(110, [40, erase(byExternal('ada'))])).toEqual(['ignored:deleted']);
    expect(stored.track(120, { events: [{ external_id: 'ada' }] })).toEqual(['updated']);
  });

  it('does not lead to a deleted person after the next move', () => {
    const stored = createStored([ada, visitor, { id: 'k', alias: 'y' }]);
    stored.identity(
      100,
      [50, erase(byExternal('ada'))],
      [60, identify('ada', byAlias('x'))],
      [70, merge(byExternal('ada'), byAlias('y'))],
    );
    expect(stored.track(40, { events: [{ external_id: 'ada' }] })).toEqual(['ignored:deleted']);
  });
});

describe('after a deletion that is applied late', () => {
  const people = [ada, { id: 'k', alias: 'y' }];
  const seen = (at: Stamp, stored: ReturnType<typeof createStored>) =>
    stored.track(at, { events: [{ external_id: 'ada' }] });

  it('a request accepted later is about a new person, a request accepted before is dropped', () => {
    const stored = createStored(people);
    stored.identity(100, [50, erase(byExternal('ada'))]);
    expect([seen(40, stored), seen(60, stored)]).toEqual([['ignored:deleted'], ['created']]);
  });

  it('a request that was accepted later and applied before it takes the requests before that one along', () => {
    const stored = createStored([ada]);
    stored.track(60, named({ external_id: 'ada' }, 'Ada'));
    stored.identity(100, [50, erase(byExternal('ada'))]);
    expect([seen(55, stored), seen(65, stored)]).toEqual([['ignored:deleted'], ['created']]);
  });

  it('leaves alone the next owner of its identifier', () => {
    const stored = createStored([{ ...ada, at: 60 }]);
    expect(stored.identity(100, [50, erase(byExternal('ada'))])).toEqual(['ignored:no_such_user']);
    expect(seen(70, stored)).toEqual(['updated']);
  });

  it.each([
    ['in the same batch', true],
    ['in a batch before', false],
  ])('removes what is left of a person who was merged into the deleted one %s', (_title, together) => {
    const stored = createStored(people);
    const merging: [Stamp, IdentityEntry] = [40, merge(byExternal('ada'), byAlias('y'))];
    const deleting: [Stamp, IdentityEntry] = [50, erase(byAlias('y'))];
    if (together) stored.identity(100, merging, deleting);
    else {
      stored.identity(100, merging);
      stored.identity(110, deleting);
    }
    expect([seen(45, stored), seen(60, stored)]).toEqual([['ignored:deleted'], ['created']]);
  });

  it('the later one of two deletions in a batch counts', () => {
    const stored = createStored([...people, visitor]);
    stored.identity(
      100,
      [50, erase(byExternal('ada'))],
      [60, identify('ada', byAlias('x'))],
      [70, erase(byExternal('ada'))],
    );
    expect([seen(65, stored), seen(75, stored)]).toEqual([['ignored:deleted'], ['created']]);
  });

  it('identity requests find no person, in a batch of their own too', () => {
    const stored = createStored([...people, visitor]);
    stored.identity(100, [50, erase(byExternal('ada'))]);
    expect(stored.identity(110, [60, identify('ada', byAlias('x'))])).toEqual(['updated']);
    expect(stored.profile('u')?.external_id).toBe('ada');
    expect(stored.identity(120, [45, merge(byExternal('ada'), byAlias('y'))])).toEqual(['ignored:deleted']);
  });
});
