import { type Preference, prioritized } from '@roster/profile';
import { createLoadBudget, loadLimits, type Store } from '@roster/store';
import { useStore } from '@roster/testkit';
import { createApply } from './apply.ts';
import { load } from './load.ts';
import { identityRequest } from './operations.ts';
import { request, storePeople, takeStamp, uniqueId } from './testbed.ts';

const store = useStore();

/** So many with one email, in the order of their last change; every second one has an external id. */
const storeSharers = async (count: number): Promise<{ email: string; ids: string[] }> => {
  const email = `${uniqueId()}@example.com`;
  const people = Array.from({ length: count }, (_, n) => ({
    email,
    more: { updated_at: 1_000_000 + n },
    ...(n % 2 === 0 && { external_id: `${email}:${n}` }),
  }));
  return { email, ids: (await storePeople(store, people)).map(({ _id }) => _id) };
};

const holdersOf = async (email: string) => {
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
  return known.holders.get(`demo:m:${email}`) ?? [];
};

/** The store, and the filters of all reads of profiles. */
const watched = (): { store: Store; filters: string[] } => {
  const filters: string[] = [];
  const noted = (value: unknown, target: object) =>
    typeof value !== 'function'
      ? value
      : (first: unknown, ...rest: unknown[]): unknown => {
          filters.push(JSON.stringify(first));
          return value.call(target, first, ...rest);
        };
  const profiles = new Proxy(store.profiles, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'find' || name === 'aggregate') return noted(value, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { store: { ...store, profiles }, filters };
};

/** One after the other: each entry is about the next person. */
it('a request about many people with one email takes few rounds of reading', async () => {
  const { email, ids } = await storeSharers(600);
  const { store: watchedStore, filters } = watched();
  const one = { email, prioritization: ['identified', 'most_recently_updated'] };
  const apply = createApply({ store: watchedStore, takeStamp });
  await apply([request('users.delete', { email_addresses: Array.from({ length: 50 }, () => one) })]);
  const gone = ids.filter((_, n) => n % 2 === 0).slice(-50);
  expect(await store.profiles.countDocuments({ _id: { $in: gone } })).toBe(0);
  expect(await store.profiles.countDocuments({ _id: { $in: ids } })).toBe(550);
  expect(filters.length).toBeLessThan(10);
});

it('present owners of a contact, and owners who left it since a request was accepted, are found by indexes', async () => {
  const [ada, bob] = [`${uniqueId()}@example.com`, `${uniqueId()}@example.com`];
  await storePeople(
    store,
    [ada, bob].map((email) => ({ external_id: email, email })),
  );
  const { store: watchedStore, filters } = watched();
  const apply = createApply({ store: watchedStore, takeStamp });
  const by = (email: string) => ({ email, prioritization: ['most_recently_updated'] });
  const merge = { identifier_to_merge: by(ada), identifier_to_keep: by(bob) };
  await apply([request('users.merge', { merge_updates: [merge] })]);
  await apply([request('users.delete', { email_addresses: [by(bob)] })]);
  expect(filters.filter((filter) => filter.includes('contacts.v')).length).toBeGreaterThan(1);
  for (const filter of new Set(filters)) {
    const explained = await store.profiles.find(JSON.parse(filter)).explain('queryPlanner');
    expect(JSON.stringify(explained.queryPlanner.winningPlan)).not.toContain('COLLSCAN');
  }
});

describe('the people with one email', () => {
  it('are all read when they are not very many', async () => {
    const { email, ids } = await storeSharers(900);
    expect((await holdersOf(email)).map(({ _id }) => _id).toSorted()).toEqual(ids.toSorted());
  });

  it('are bounded when they are very many, and the preferred person is always among them', async () => {
    const { email, ids } = await storeSharers(3000);
    const holders = await holdersOf(email);
    expect(holders).toHaveLength(1000);
    const preferred = (...preferences: Preference[]) => prioritized(holders, preferences, () => 0)[0]?._id;
    expect(preferred('identified', 'most_recently_updated')).toBe(ids[2998]);
    expect(preferred('identified', 'least_recently_updated')).toBe(ids[0]);
    expect(preferred('unidentified', 'most_recently_updated')).toBe(ids[2999]);
    expect(preferred('unidentified', 'least_recently_updated')).toBe(ids[1]);
  });
});
