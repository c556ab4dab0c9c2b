/** What no history of orders/orders.test.ts would show: the other rules of the model are held against those of the services there. */
import { apply, type Operation } from './model.ts';
import { blank, type Person, type State } from './state.ts';
import { after as inTurn, merge as merging, remove as removing, type Track, track } from './track.ts';
import { writtenAll } from './written.ts';

const ext = (id: string, token: string, more: Partial<Track> = {}) => track({ ext: id }, token, more);
const merge = (from: string, into: string): Operation => merging({ ext: from }, { ext: into });
const remove = (id: string): Operation => removing({ ext: id });
const after = (...operations: Operation[]): State => inTurn(operations);
const only = ({ people }: State): Person | undefined => (people.length === 1 ? people[0] : undefined);

/** Of email, push, news and texts. */
const consentsOf = (state: State, id: string) => JSON.parse(writtenAll(state, [{ ext: id }])).at(-1);

describe('identity', () => {
  it('finds no person by the external ids of a merged-away one, primary or deprecated', () => {
    const rename: Operation = { do: 'rename', from: 'p0', to: 'q0' };
    const state = after(ext('p0', 't0'), rename, ext('p1', 't1'), merge('q0', 'p1'));
    expect(only(state)).toMatchObject({ ext: 'p1', former: [], tokens: ['t0', 't1'] });
  });

  it('leads from the service id of a merged-away person to the kept one, and deletes none by it', () => {
    const people = ['p0', 'p1'].map((id): Person => ({ ...blank, ext: id, svc: id }));
    const merged = apply({ people, said: {} }, merge('p0', 'p1'));
    expect(only(apply(merged, track({ svc: 'p0' }, 't0')))).toMatchObject({ ext: 'p1', tokens: ['t0'] });
    expect(apply(merged, removing({ svc: 'p0' }))).toEqual(merged);
  });
});

describe('consent', () => {
  it('goes with the only person who had the email when they are deleted', () => {
    const shared = [ext('p0', 't0', { email: 'm0', says: { news: 'subscribed' } }), remove('p0')] as const;
    const next = ext('p1', 't1', { email: 'm0' });
    expect(consentsOf(after(...shared, next), 'p1')).toEqual([null, null, null, null]);
    expect(consentsOf(after(next, ...shared), 'p1')).toEqual([null, null, 'subscribed', null]);
  });
});
