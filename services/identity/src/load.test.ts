import { type Preference, prioritized } from '@roster/profile';
import { createLoadBudget, loadLimits, type Store } from '@roster/store';
import { type TestStore, testStore } from '@roster/testkit';
import { load } from './load.ts';
import { identityRequest } from './requests.ts';
import { request, somebody, storePeople } from './testbed.ts';

jest.setTimeout(60_000);

let test: TestStore;
let store: Store;

beforeAll(async () => {
  test = await testStore();
  store = test.store;
});
afterAll(() => test.close());

/** So many with one email, in the order of their last change; every second one has an external id. */
const storeSharers = async (count: number): Promise<{ email: string; ids: string[] }> => {
  const email = `${somebody()}@example.com`;
  const people = Array.from({ length: count }, (_, n) => ({
    email,
    more: { updated_at: 1_000_000 + n },
    ...(n % 2 === 0 && { external_id: `${email}:${n}` }),
  }));
  return { email, ids: (await storePeople(store, people)).map(({ _id }) => _id) };
};

const sharersOf = async (email: string) => {
  const known = await store.transact((session) => {
    const identifier_to_merge = { email, prioritization: ['most_recently_updated'] };
    const merge = { identifier_to_merge, identifier_to_keep: { external_id: 'nobody' } };
    const asked = request('users.merge', { merge_updates: [merge] });
    return load(
      store,
      session,
      [identityRequest(asked)],
      createLoadBudget(loadLimits.ordinary, { mayCut: true, wholeUpTo: loadLimits.wholeUpTo }),
    );
  });
  return known.sharers.get(`demo:m:${email}`) ?? [];
};

describe('those who share an address', () => {
  it('are all read when they are not very many', async () => {
    const { email, ids } = await storeSharers(900);
    expect((await sharersOf(email)).map(({ _id }) => _id).toSorted()).toEqual(ids.toSorted());
  });

  it('are bounded when they are, and whoever can be preferred is among them', async () => {
    const { email, ids } = await storeSharers(3000);
    const sharers = await sharersOf(email);
    expect(sharers).toHaveLength(1000);
    const preferred = (...preferences: Preference[]) => prioritized(sharers, preferences, () => 0)[0]?._id;
    expect(preferred('identified', 'most_recently_updated')).toBe(ids[2998]);
    expect(preferred('identified', 'least_recently_updated')).toBe(ids[0]);
    expect(preferred('unidentified', 'most_recently_updated')).toBe(ids[2999]);
    expect(preferred('unidentified', 'least_recently_updated')).toBe(ids[1]);
  });
});
