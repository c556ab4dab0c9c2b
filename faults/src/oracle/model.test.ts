import { apply, type Operation, type Preference } from './model.ts';
import { blank, type Consents, type Person, type State } from './state.ts';
import {
  identify,
  after as inTurn,
  merge as merging,
  remove as removing,
  type Track,
  track,
} from './track.ts';
import { writtenAll } from './written.ts';

const mail = (name: string) => ({ label: 'mail', name });
const ext = (id: string, token: string, more: Partial<Track> = {}) => track({ ext: id }, token, more);
const merge = (from: string, into: string): Operation => merging({ ext: from }, { ext: into });
const remove = (id: string): Operation => removing({ ext: id });
const subscribe = (
  who: Extract<Operation, { do: 'subscribe' }>['who'],
  state: 'subscribed' | 'unsubscribed',
): Operation => ({ do: 'subscribe', who, register: 'news', state });

const after = (...operations: Operation[]): State => inTurn(operations);
const only = ({ people }: State): Person | undefined => (people.length === 1 ? people[0] : undefined);

/** The visible consent of a person. */
const consentsOf = (state: State, id: string): string => {
  const [shown] = writtenAll(state, [{ ext: id }]).split('\n');
  const [email, push, news, texts] = (JSON.parse(shown ?? '[]') as unknown[]).at(-1) as (keyof Consents)[];
  return JSON.stringify({ email, push, news, texts });
};

describe('tracking', () => {
  it('creates by external id, email and phone, and by alias only with an attribute object that says so', () => {
    expect(only(after(ext('p0', 't0')))).toMatchObject({
      ext: 'p0',
      tokens: ['t0'],
      colour: 't0',
      visits: 1,
    });
    expect(only(after(track({ email: 'm0' }, 't0')))).toMatchObject({ email: 'm0' });
    const alias = { alias: mail('a') };
    expect(after(track(alias, 't0')).people).toEqual([]);
    expect(after(track(alias, 't0', { may: 'create', parts: 'event' })).people).toEqual([]);
    expect(only(after(track(alias, 't0', { may: 'create' }), track(alias, 't1')))).toMatchObject({
      tokens: ['t0', 't1'],
      visits: 2,
    });
  });

  it('creates no person by a service id, and none by any name when it only updates', () => {
    expect(after(track({ svc: 'p0' }, 't0', { may: 'create' })).people).toEqual([]);
    expect(after(ext('p0', 't0', { may: 'update' })).people).toEqual([]);
    expect(after(track({ phone: 'f0' }, 't0', { may: 'update' })).people).toEqual([]);
  });

  it('by an email of several people is about the identified one that was changed last', () => {
    const some = [
      ext('p0', 't0', { email: 'm0' }),
      ext('p1', 't1', { email: 'm0' }),
      track({ alias: mail('a') }, 't2', { may: 'create', email: 'm0' }),
      ext('p0', 't3'),
      track({ email: 'm0' }, 't4'),
    ];
    const found = after(...some).people.find(({ tokens }) => tokens.includes('t4'));
    expect(found).toMatchObject({ ext: 'p0' });
  });
});

describe('identity', () => {
  it('keeps what the kept one has, and joins what happened', () => {
    const state = after(ext('p0', 't0'), ext('p1', 't1'), ext('p1', 't2'), merge('p1', 'p0'));
    expect(only(state)).toMatchObject({ ext: 'p0', tokens: ['t0', 't1', 't2'], colour: 't0', visits: 1 });
  });

  it('does nothing when a person is to be merged into themselves, or does not exist', () => {
    const state = after(ext('p0', 't0'));
    expect(apply(state, merge('p0', 'p0'))).toEqual(state);
    expect(apply(state, merge('p0', 'p1'))).toEqual(state);
  });

  it('chooses none when several are left', () => {
    const state = after(ext('p0', 't0', { email: 'm0' }), ext('p1', 't1', { email: 'm0' }));
    const about = (...prefer: Preference[]): Operation => removing({ who: { email: 'm0' }, prefer });
    expect(apply(state, about('identified'))).toEqual(state);
    expect(only(apply(state, about('unidentified', 'most_recently_updated')))).toMatchObject({ ext: 'p0' });
  });

  it('identifies a visitor, with everything or with aliases and contacts alone', () => {
    const visitor = { alias: mail('a') };
    const before = [track({ alias: mail('a') }, 't0', { may: 'create', email: 'm0' }), ext('p0', 't1')];
    const both = { aliases: [mail('a')], email: 'm0' };
    expect(only(after(...before, identify('p0', visitor)))).toMatchObject({ tokens: ['t0', 't1'], ...both });
    const named = identify('p0', visitor, false);
    expect(only(after(...before, named))).toMatchObject({ tokens: ['t1'], ...both });
    expect(only(after(before[0] as Operation, named))).toMatchObject({ ext: 'p0', tokens: ['t0'] });
  });

  it('goes on finding people by the external id they had before, until that is removed', () => {
    const renamed = [ext('p0', 't0'), { do: 'rename', from: 'p0', to: 'q0' } as const, ext('p0', 't1')];
    expect(only(after(...renamed))).toMatchObject({ ext: 'q0', former: ['p0'], tokens: ['t0', 't1'] });
    const removed = after(...renamed, { do: 'remove-id', ext: 'p0' }, ext('p0', 't2'));
    expect(removed.people.map(({ tokens }) => tokens)).toEqual([['t0', 't1'], ['t2']]);
  });

  it('finds no person by the external ids of a merged-away one, primary or deprecated', () => {
    const rename: Operation = { do: 'rename', from: 'p0', to: 'q0' };
    const state = after(ext('p0', 't0'), rename, ext('p1', 't1'), merge('q0', 'p1'));
    expect(only(state)).toMatchObject({ ext: 'p1', former: [], tokens: ['t0', 't1'] });
  });

  it('starts afresh after a deletion', () => {
    expect(only(after(ext('p0', 't0'), remove('p0'), ext('p0', 't1')))).toMatchObject({ tokens: ['t1'] });
  });

  it('leads from the service id of a merged-away person to the kept one, and deletes none by it', () => {
    const people = ['p0', 'p1'].map((id): Person => ({ ...blank, ext: id, svc: id }));
    const merged = apply({ people, said: {} }, merge('p0', 'p1'));
    expect(only(apply(merged, track({ svc: 'p0' }, 't0')))).toMatchObject({ ext: 'p1', tokens: ['t0'] });
    expect(apply(merged, removing({ svc: 'p0' }))).toEqual(merged);
  });
});

describe('consent', () => {
  const counts = (consents: Consents): string =>
    JSON.stringify({ email: null, push: null, news: null, texts: null, ...consents });

  it('belongs to the email, for all people who have it or get it later', () => {
    const state = after(
      subscribe({ email: 'm0' }, 'unsubscribed'),
      ext('p0', 't0', { email: 'm0' }),
      ext('p1', 't1', { says: { news: 'subscribed' } }),
      ext('p1', 't2', { email: 'm0' }),
    );
    expect(consentsOf(state, 'p0')).toBe(counts({ news: 'unsubscribed' }));
    expect(consentsOf(state, 'p1')).toBe(counts({ news: 'unsubscribed' }));
  });

  it('stays with who changes to an email of which nothing was said', () => {
    const state = after(
      ext('p0', 't0', { email: 'm0' }),
      subscribe({ email: 'm0' }, 'unsubscribed'),
      ext('p0', 't1', { email: 'm1' }),
      subscribe({ email: 'm0' }, 'subscribed'),
    );
    expect(consentsOf(state, 'p0')).toBe(counts({ news: 'unsubscribed' }));
  });

  it('is never raised by a merge', () => {
    const kept = ext('p0', 't0', { email: 'm0', says: { news: 'unsubscribed' } });
    const away = ext('p1', 't1', { email: 'm1', says: { news: 'subscribed', push: 'opted_in' } });
    expect(consentsOf(after(kept, away, merge('p1', 'p0')), 'p0')).toBe(
      counts({ push: 'opted_in', news: 'unsubscribed' }),
    );
    expect(consentsOf(after(ext('p0', 't0'), away, merge('p1', 'p0')), 'p0')).toBe(
      counts({ push: 'opted_in', news: 'subscribed' }),
    );
  });

  it('goes with the only person who had the email when they are deleted', () => {
    const shared = [ext('p0', 't0', { email: 'm0', says: { news: 'subscribed' } }), remove('p0')] as const;
    const next = ext('p1', 't1', { email: 'm0' });
    expect(consentsOf(after(...shared, next), 'p1')).toBe(counts({}));
    expect(consentsOf(after(next, ...shared), 'p1')).toBe(counts({ news: 'subscribed' }));
  });
});
