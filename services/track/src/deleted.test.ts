import { type Identifier, identityKey } from '@roster/profile';
import { useTrack } from './testbed.ts';

const { store, apply, inTurn, track, ...bed } = useTrack();

const leaveTombstone = (identifier: Identifier, at: number, to?: string, more: { part?: true } = {}) =>
  store.tombstones.write([
    {
      ...{ ws: 'demo', key: identityKey('demo', identifier), at, expires: new Date('2100-01-01') },
      ...(to !== undefined && { to }),
      ...more,
    },
  ]);
const byId = (id: string): Identifier => ({ by: 'external_id', id });
const byServiceId = (id: string): Identifier => ({ by: 'service_id', id });

const remove = async (externalId: string): Promise<string> => {
  const id = (await bed.claimOf(externalId)) ?? '';
  await store.profiles.deleteOne({ _id: id });
  await store.identities.deleteOne({ _id: `demo:e:${externalId}` });
  return id;
};

describe('a request from before a deletion', () => {
  it('creates no person, and has a reason', async () => {
    const ada = bed.uniqueId();
    const late = [bed.attributes({ external_id: ada, n: 1 }), bed.events({ external_id: ada })];
    await leaveTombstone(byId(ada), bed.now());
    const outcomes = await apply(late);
    expect(outcomes.map((one) => one?.entries)).toEqual([
      { attributes: ['ignored:deleted'] },
      { events: ['ignored:deleted'] },
    ]);
    expect(await bed.claimOf(ada)).toBeUndefined();
    expect(await track({ external_id: ada, n: 2 })).toEqual(['created']);
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ n: 2 });
  });

  it('by email or service id is ignored too', async () => {
    const email = `${bed.uniqueId()}@b.co`;
    const late = bed.events({ email }, { service_id: 'gone' });
    await leaveTombstone({ by: 'email', email }, bed.now());
    await leaveTombstone(byServiceId('gone'), bed.now());
    expect((await inTurn(late))?.entries).toEqual({ events: ['ignored:deleted', 'ignored:deleted'] });
  });
});

describe('a request from before a merge', () => {
  it('follows to the kept person: events go there, attributes fill in missing values', async () => {
    const [away, kept] = [bed.uniqueId(), bed.uniqueId()];
    await track({ external_id: away }, { external_id: kept, colour: 'red' });
    const late = bed.request({
      attributes: [{ external_id: away, colour: 'blue', size: 'M' }],
      events: [{ external_id: away }],
    });
    const to = (await bed.claimOf(kept)) ?? '';
    const id = await remove(away);
    await leaveTombstone(byId(away), bed.now(), id);
    await leaveTombstone(byServiceId(id), bed.now(), to);
    expect((await inTurn(late))?.entries).toEqual({ attributes: ['updated'], events: ['updated'] });
    const profile = await bed.storedOf(kept);
    expect((await bed.profileOf(kept)).custom_attributes).toEqual({ colour: 'red', size: 'M' });
    expect(profile).not.toHaveProperty('absorbed');
    expect(await bed.eventsOf(kept)).toHaveLength(1);
    expect(await bed.claimOf(away)).toBeUndefined();
  });

  it('counts in full for a person with another name since', async () => {
    const [before, after] = [bed.uniqueId(), bed.uniqueId()];
    await track({ external_id: after, visits: { inc: 1 }, colour: 'red' });
    const late = bed.attributes({ external_id: before, visits: { inc: 1 }, colour: 'blue' });
    await leaveTombstone(byId(before), bed.now(), (await bed.claimOf(after)) ?? '');
    await apply([late]);
    expect((await bed.profileOf(after)).custom_attributes).toEqual({ visits: 2, colour: 'blue' });
  });

  it('follows through a chain, and ends where the last person was deleted', async () => {
    const [first, second, third] = [bed.uniqueId(), bed.uniqueId(), bed.uniqueId()];
    await apply([second, third].map((external_id) => bed.attributes({ external_id })));
    const late = bed.attributes({ external_id: first, n: 1 });
    const later = bed.attributes({ external_id: first, n: 2 });
    const [one, other] = [(await bed.claimOf(second)) ?? '', (await bed.claimOf(third)) ?? ''];
    await leaveTombstone(byId(first), bed.now(), one);
    await remove(second);
    await leaveTombstone(byServiceId(one), bed.now() + 10, other);
    expect((await inTurn(late))?.entries).toEqual({ attributes: ['updated'] });
    expect((await bed.profileOf(third)).custom_attributes).toEqual({ n: 1 });
    await remove(third);
    await leaveTombstone(byServiceId(other), bed.now() + 20);
    expect((await inTurn(later))?.entries).toEqual({ attributes: ['ignored:deleted'] });
  });

  it('does not turn in circles', async () => {
    const ada = bed.uniqueId();
    const late = bed.attributes({ external_id: ada });
    await leaveTombstone(byId(ada), bed.now(), 'round');
    await leaveTombstone(byServiceId('round'), bed.now(), 'about');
    await leaveTombstone(byServiceId('about'), bed.now(), 'round');
    expect((await inTurn(late))?.entries).toEqual({ attributes: ['ignored:deleted'] });
  });
});

describe('a request from before an identify without a merge', () => {
  it('brings only the values that the identify takes over', async () => {
    const ada = bed.uniqueId();
    await track({ external_id: ada, n: 1 });
    const [visitor, user_alias] = [`visitor-${ada}`, { alias_label: 'web', alias_name: ada }];
    const email = `${ada}@example.com`;
    const late = [bed.attributes({ user_alias, email, plan: 'gold' }), bed.events({ user_alias })];
    await leaveTombstone({ by: 'user_alias', label: 'web', name: ada }, bed.now(), visitor);
    await leaveTombstone(byServiceId(visitor), bed.now(), await bed.claimOf(ada), { part: true });
    const outcomes = await apply([...late, bed.attributes({ service_id: visitor, plan: 'none' })]);
    expect(outcomes).toMatchObject([
      {
        entries: { attributes: ['updated'] },
        notes: [{ input_array: 'attributes', index: 0, field: 'plan', reason: 'not_merged' }],
      },
      { entries: { events: ['ignored:deleted'] } },
      { entries: { attributes: ['ignored:no_such_user'] } },
    ]);
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ n: 1 });
    expect((await bed.profileOf(ada)).fields.email?.v).toBe(email);
    expect(await bed.eventsOf(ada)).toEqual([]);
  });
});
