import type { OperationId } from '@roster/contract';
import type { Store } from '@roster/store';
import { type TestStore, testStore } from '@roster/testkit';
import { type Apply, createApply, type Entries } from './apply.ts';
import { nextStamp, request, somebody, storePeople } from './testbed.ts';

jest.setTimeout(60_000);

let test: TestStore;
let store: Store;
let apply: Apply;

beforeAll(async () => {
  test = await testStore();
  store = test.store;
  apply = createApply({ store, takeStamp: async () => nextStamp() });
});
afterAll(() => test.close());

const send = async (op: OperationId, body: unknown): Promise<Entries> =>
  (await apply([request(op, body)]))[0] as Entries;

/** Of nine megabytes: two of them are more than the database takes. */
const fat = (name: string) =>
  Array.from({ length: 9 }, (_, index) => ({ k: `${name}-${index}`, v: 'x'.repeat(1024 * 1024), at: 1 }));

const fatPerson = async (more: { aliases?: Record<string, string> } = {}): Promise<string> => {
  const id = somebody();
  await storePeople(store, [
    { ...(!more.aliases && { external_id: id }), ...more, more: { custom: fat(id) } },
  ]);
  return id;
};

describe('two people who are too large to become one', () => {
  it('stay two; the other merges of the request take place', async () => {
    const [one, other, small, kept] = [await fatPerson(), await fatPerson(), somebody(), somebody()];
    await storePeople(store, [{ external_id: small }, { external_id: kept }]);
    const before = await store.profiles.countDocuments({});
    const pair = (away: string, into: string) => ({
      identifier_to_merge: { external_id: away },
      identifier_to_keep: { external_id: into },
    });
    const { merge_updates } = await send('users.merge', {
      merge_updates: [pair(one, other), pair(small, kept)],
    });
    expect(merge_updates).toEqual(['ignored:profile_full', 'updated']);
    expect(await store.profiles.countDocuments({})).toBe(before - 1);
    for (const id of [one, other])
      expect(await store.identities.findOne({ _id: `demo:e:${id}` })).not.toBeNull();
  });

  it('are not identified by a merge either', async () => {
    const name = somebody();
    const [identified] = [await fatPerson(), await fatPerson({ aliases: { name } })];
    const { aliases_to_identify } = await send('users.identify', {
      merge_behavior: 'merge',
      aliases_to_identify: [
        { external_id: identified, user_alias: { alias_label: 'name', alias_name: name } },
      ],
    });
    expect(aliases_to_identify).toEqual(['ignored:profile_full']);
  });
});
