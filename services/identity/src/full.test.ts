import { merging, uniqueId, useIdentity } from './testbed.ts';

const { store, people, send } = useIdentity();

/** Attributes of so many kilobytes. */
const fat = (name: string, kilobytes: number) =>
  Array.from({ length: kilobytes }, (_, index) => ({ k: `${name}-${index}`, v: 'x'.repeat(1000), at: 1 }));

const fatPerson = async (
  kilobytes: number,
  more: { aliases?: Record<string, string> } = {},
): Promise<string> => {
  const id = uniqueId();
  const custom = fat(id, kilobytes);
  await people({ ...(!more.aliases && { external_id: id }), ...more, more: { custom } });
  return id;
};

describe('two people who are too large to become one', () => {
  it('stay two; the other merges of the request take place', async () => {
    const [one, other, small, kept] = [await fatPerson(700), await fatPerson(700), uniqueId(), uniqueId()];
    await people({ external_id: small }, { external_id: kept });
    const before = await store.profiles.countDocuments({});
    const { merge_updates } = await send('users.merge', {
      merge_updates: [merging(one, other), merging(small, kept)],
    });
    expect(merge_updates).toEqual(['ignored:profile_full', 'updated']);
    expect(await store.profiles.countDocuments({})).toBe(before - 1);
    for (const id of [one, other])
      expect(await store.identities.findOne({ _id: `demo:e:${id}` })).not.toBeNull();
  });

  it('are not identified by a merge either', async () => {
    const name = uniqueId();
    const [identified] = [await fatPerson(700), await fatPerson(700, { aliases: { name } })];
    const { aliases_to_identify } = await send('users.identify', {
      merge_behavior: 'merge',
      aliases_to_identify: [
        { external_id: identified, user_alias: { alias_label: 'name', alias_name: name } },
      ],
    });
    expect(aliases_to_identify).toEqual(['ignored:profile_full']);
  });
});

describe('people who are too large for one request to load', () => {
  it('stay as they are, with a note in the outcome; the others are merged', async () => {
    const [one, other, small, kept] = [await fatPerson(9000), await fatPerson(500), uniqueId(), uniqueId()];
    await people({ external_id: small }, { external_id: kept });
    const { merge_updates } = await send('users.merge', {
      merge_updates: [merging(one, other), merging(small, kept)],
    });
    expect(merge_updates).toEqual(['ignored:too_much_to_load', 'updated']);
  });

  it('get aliases all the same: these need no profile, and no value is lost', async () => {
    const names = await Promise.all(Array.from({ length: 3 }, () => fatPerson(9000)));
    const user_aliases = names.map((external_id) => ({
      external_id,
      alias_label: 'web',
      alias_name: `web-${external_id}`,
    }));
    const { user_aliases: results } = await send('users.alias.new', { user_aliases });
    expect(results).toEqual(['updated', 'updated', 'updated']);
    const stored = await store.profiles.findOne({ external_id: names[0] ?? '' });
    expect(stored?.custom).toHaveLength(9000);
    expect(stored?.aliases).toEqual([{ label: 'web', name: `web-${names[0]}` }]);
  });
});
